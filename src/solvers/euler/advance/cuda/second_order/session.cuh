// session - second order over tiles: a launch a stage, iterations in a recorded graph.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "solvers/euler/advance/cuda/second_order/kernels.cuh"
#include "solvers/euler/advance/cuda/second_order/second_order.cuh"
#include "solvers/euler/advance/cuda/second_order/share.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/fused/launched.cuh"
#include "solvers/euler/advance/shared/parts/flow_part.cuh"

namespace wale::euler::second_order {

namespace {

/// Tiles for `devices` alike, each with all multiprocessors busy.
template <class Real>
plan<Real> plan_for(const cuda::context& on, const flow_system& system, const second_order_policy& choice,
                    int devices) {
    int most = 0;
    cuda::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, on.device()));
    constexpr index_t kept_by_driver = 1024;  // of each block
    const index_t share = (most + kept_by_driver) / choice.blocks - kept_by_driver;
    return plan_of<Real>(system, choice.own, index_t{devices} * on.multiprocessors() * choice.blocks, share);
}

template <class Real>
class tiles_session final : public launched_session<Real>, public flow_part<Real> {
public:
    explicit tiles_session(const advance_job& job) : tiles_session(job, cuda::context(job.where)) {}
    /// Of the plan's cells, whose places among the job's states are in plan::order. Of a share, the first
    /// `border` tiles lie at the border to other devices.
    tiles_session(const advance_job& job, const cuda::context& on, const second_order_policy& choice,
                  const plan<Real>& p, std::optional<index_t> border = {})
        : launched_session<Real>(job, true),
          choice_(choice),
          alone_(!border),
          border_(border.value_or(0)),
          cells_(std::ssize(p.order)) {
        tiles_ = {on, p.tiles};
        rows_ = p.rows;
        at_once_ = static_cast<unsigned>(on.multiprocessors() * choice.blocks);
        most_places_ = p.most_places;
        most_near_ = p.most_near;
        most_faces_ = p.most_faces;
        if (choice.face_threads > 0) values_ = {index_t{face_values<Real>::count} * cells(), on.device()};
        order_ = {on, p.order};
        halo_ = {on, p.halo};
        links_ = {on, p.links};
        geometry_ = {on, p.geometry};
        areas_ = {on, p.areas};
        patches_ = {on, p.patches};
        volumes_ = {on, p.volumes};
        for (auto& r : records_) r = {on, p.records};
        state_ = {variables * cells(), on.device()};
        step_ = {cells(), on.device()};
        if (this->numbers().from_now[1] != 0) between_ = {variables * cells(), on.device()};
        if (this->time().has_time()) plain_ = {variables * cells(), on.device()};
        clock_ = this->time().time();
    }

    [[nodiscard]] int passes() const override { return stages; }
    void queue_pass(const cuda::context& on, index_t number, int pass, bool border) override {
        border ? queue_stage(on, number, pass, 0, border_)
               : queue_stage(on, number, pass, border_, tiles_.size());
    }
    [[nodiscard]] written_records written(index_t, int pass) const override {
        return {{{{reinterpret_cast<char*>(task_of(pass).next), sizeof(record<Real>)}}}};
    }
    void queue_store(const cuda::context& on, index_t, Real* states) override { store(on, states); }
    void queue_load(const cuda::context& on, index_t, const Real* states) override { load(on, states); }
    void follow(const device_time* clock) override { clock_ = clock; }
    [[nodiscard]] const device_mesh<Real>& grid() const override { return this->mesh(); }
    [[nodiscard]] const std::int32_t* numbering() const override { return order_.data(); }
    [[nodiscard]] std::string choices() const override { return tile_policy(); }

protected:
    void queue_iteration(const cuda::context& on, index_t number) override {
        if (this->time().has_time()) {
            store(on, plain_.data());
            this->time().queue_step(on, this->mesh().grid(), this->numbers(), plain_.data());
        }
        for (int stage = 0; stage < stages; ++stage) queue_stage(on, number, stage, 0, tiles_.size());
    }
    void store(const cuda::context& on, Real* to) override {
        reorder<<<blocks_of(variables * cells()), threads_of_block, 0, on.stream()>>>(
            cells(), order_.data(), state_.data(), to, false);
        cuda::check_launch();
    }
    void load(const cuda::context& on, const Real* from) override {
        reorder<<<blocks_of(variables * cells()), threads_of_block, 0, on.stream()>>>(
            cells(), order_.data(), from, state_.data(), true);
        if (tiles_.size() > 0)
            publish_tiles<<<static_cast<unsigned>(tiles_.size()), threads_of_block, 0, on.stream()>>>(
                task_of(stages - 1), state_.data());
        cuda::check_launch();
    }
    [[nodiscard]] std::string policy() const override { return tile_policy() + this->how(); }

private:
    explicit tiles_session(const advance_job& job, const cuda::context& on)
        : tiles_session(job, on,
                        second_order_policies[tuning::choose("euler/advance/second_order",
                                                             second_order_policies, on.sm(), sizeof(Real))]
                            .policy) {}
    tiles_session(const advance_job& job, const cuda::context& on, const second_order_policy& choice)
        : tiles_session(job, on, choice, plan_for<Real>(on, *job.system, choice, 1)) {}

    [[nodiscard]] std::string tile_policy() const {
        return "threads=" + std::to_string(choice_.threads) + " tiles=" + std::to_string(tiles_.size()) +
               " places=" + std::to_string(most_places_) + " faces=" + std::to_string(most_faces_) +
               " bytes=" + std::to_string(bytes()) +
               (choice_.face_threads > 0 ? " face_threads=" + std::to_string(choice_.face_threads) : "");
    }

    /// Tiles first <= tile < last.
    void queue_stage(const cuda::context& on, index_t number, int stage, index_t first, index_t last) const {
        if (first == last) return;
        task<Real> t = task_of(stage);
        t.tiles += first;
        t.backwards = (stages * number + stage) % 2 == 1;
        with_flux(this->system().options.scheme.flux, [&]<euler_flux Flux>() {
            if constexpr (Flux != euler_flux::rodinia)
                queue<Flux>(on, t, static_cast<unsigned>(last - first));
        });
        cuda::check_launch();
    }
    template <euler_flux Flux>
    void queue(const cuda::context& on, const task<Real>& t, unsigned tiles) const {
        if (choice_.face_threads == 0)
            return launch(on, take_tile_stage<Flux, Real>, tiles, choice_.threads, bytes(), t);
        launch(on, carry_tiles<Real>, tiles, choice_.threads, bytes_of<Real>(most_near_, 0), t);
        launch(on, move_tiles<Flux, Real>, tiles, choice_.face_threads, bytes_of<Real>(0, most_faces_), t);
    }
    template <class Kernel>
    void launch(const cuda::context& on, Kernel kernel, unsigned tiles, int threads, index_t bytes,
                const task<Real>& t) const {
        cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(bytes)));
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t how{};
        how.gridDim = {tiles};
        how.blockDim = {static_cast<unsigned>(threads)};
        how.dynamicSmemBytes = static_cast<std::size_t>(bytes);
        how.stream = on.stream();
        how.attrs = &early;
        how.numAttrs = alone_ ? 1 : 0;  // a share's launches wait for those of other streams too, by events
        cuda::check(cudaLaunchKernelEx(&how, kernel, t, clock_));
    }

    [[nodiscard]] task<Real> task_of(int stage) const {
        task<Real> t{};
        t.tiles = tiles_.data();
        t.halo = halo_.data();
        t.rows = rows_;
        t.links = links_.data();
        t.geometry = geometry_.data();
        t.areas = areas_.data();
        t.patches = patches_.data();
        t.volumes = volumes_.data();
        const auto from = static_cast<std::size_t>(stage);
        t.now = records_[from].data();
        t.next = records_[(from + 1) % records_.size()].data();
        t.old = state_.data();
        t.from = between_.data();
        t.moved = stage == stages - 1 ? state_.data() : between_.data();
        t.step = step_.data();
        t.local = !this->time().has_time();
        t.kinds = this->mesh().grid().kinds;
        t.said = this->mesh().grid().said;
        t.k = this->numbers();
        t.inverse_gamma_1 = Real(1) / t.k.gamma_1;
        t.rule = this->system().options.scheme.step;
        t.stage = stage;
        t.most_places = most_places_;
        t.at_once = at_once_;
        t.values = values_.data();
        t.cells = cells();
        return t;
    }
    [[nodiscard]] index_t cells() const { return cells_; }
    [[nodiscard]] index_t bytes() const { return bytes_of<Real>(most_places_, most_faces_); }

    second_order_policy choice_;
    bool alone_;      // no other device has a share
    index_t border_;  // of the tiles: these come first
    index_t cells_;   // that it moves
    const device_time* clock_ = nullptr;
    index_t rows_ = 0;
    unsigned at_once_ = 0;
    int most_places_ = 0, most_near_ = 0, most_faces_ = 0;
    cuda::device_array<std::int32_t> order_, halo_;
    cuda::device_array<tile> tiles_;
    cuda::device_array<chunk> links_, geometry_, values_;
    cuda::device_array<face_area<Real>> areas_;
    cuda::device_array<patch_face> patches_;
    cuda::device_array<double> volumes_;
    std::array<cuda::device_array<record<Real>>, stages> records_;
    cuda::device_array<Real> state_, step_, between_, plain_;
};

/// Each device's share of a plan, in numbers of its own; the pieces and the shares of `parts` then say what
/// devices have of the mesh and of each other's records.
template <class Real>
std::vector<plan_share<Real>> cut_in_pieces(const advance_job& job, const plan<Real>& p,
                                            flow_parts<Real>& parts) {
    const auto at = [](index_t i) { return static_cast<std::size_t>(i); };
    const flow_system& system = *job.system;
    std::vector<std::int32_t> owner(p.order.size());
    for (std::size_t d = 0; d < parts.shares.size(); ++d)
        for (index_t i = parts.shares[d].first; i < parts.shares[d].last; ++i)
            owner[at(p.order[at(i)])] = static_cast<std::int32_t>(d);
    std::vector<plan_share<Real>> plans;
    std::vector<std::int32_t> place(p.order.size());
    for (std::size_t d = 0; d < parts.shares.size(); ++d) {
        plans.push_back(share_of(p, parts.shares[d]));
        mesh_piece piece;
        piece.part = cut_part(system.grid, owner, p.order, static_cast<int>(d), layers_of(system));
        auto own = std::make_unique<flow_system>(mesh_of_part(system.grid, piece.part),
                                                 options_of_part(system.options));
        for (std::size_t i = 0; i < piece.part.cells.size(); ++i) {
            const std::int32_t cell = piece.part.cells[i];
            own->number.push_back(static_cast<std::int32_t>(system.number_of(cell)));
            place[at(cell)] = static_cast<std::int32_t>(i);
        }
        piece.system = std::move(own);
        for (std::int32_t& cell : plans[d].own.order) cell = place[at(cell)];
        parts.pieces.push_back(std::move(piece));
    }
    std::vector<std::vector<std::int32_t>> number(plans.size());
    for (std::size_t d = 0; d < plans.size(); ++d) {
        number[d].resize(p.records.size());
        for (std::size_t i = 0; i < plans[d].records.size(); ++i)
            number[d][at(plans[d].records[i])] = static_cast<std::int32_t>(i);
    }
    for (std::size_t d = 0; d < plans.size(); ++d) {
        part_share& share = parts.shares[d];
        share.lent_there = share.lent;
        for (std::size_t e = 0; e < plans.size(); ++e)
            for (std::size_t i = 0; i < share.lent[e].size(); ++i) {
                const auto record = at(share.lent[e][i]);
                share.lent[e][i] = number[d][record];
                share.lent_there[e][i] = number[e][record];
            }
        share.last -= share.first;
        share.first = 0;
    }
    return plans;
}

template <class Real>
flow_parts<Real> parts_here(const advance_job& job, std::span<const on_cuda> devices) {
    const cuda::context first(devices[0]);
    const auto row = tuning::choose("euler/advance/shared_second_order", shared_second_order_policies,
                                    first.sm(), sizeof(Real));
    const second_order_policy& choice = shared_second_order_policies[row].policy;
    const plan<Real> p = plan_for<Real>(first, *job.system, choice, static_cast<int>(devices.size()));
    std::vector<tile_reach> reach;
    for (const tile& t : p.tiles) reach.push_back({t.first, t.own, t.halo, t.all - t.own});
    flow_parts<Real> parts;
    parts.shares = deal_tiles(reach, p.halo, job.system->cells(), p.ghosts, static_cast<int>(devices.size()));
    const std::vector<plan_share<Real>> plans = cut_in_pieces(job, p, parts);
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const mesh_piece& piece = parts.pieces[d];
        std::vector<euler_state> states;
        for (const std::int32_t cell : piece.part.cells)
            states.push_back((*job.state)[static_cast<std::size_t>(cell)]);
        parts.of.push_back(std::make_unique<tiles_session<Real>>(
            advance_job{devices[d], piece.system.get(), &states}, cuda::context(devices[d]), choice,
            plans[d].own, parts.shares[d].border));
    }
    return parts;
}

}  // namespace
}  // namespace wale::euler::second_order
