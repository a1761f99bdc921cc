// session - second order over tiles: a launch a stage, iterations in a recorded graph.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "solvers/euler/advance/cuda/second_order/plan.hpp"
#include "solvers/euler/advance/cuda/second_order/second_order.cuh"
#include "solvers/euler/advance/cuda/second_order/stage.hpp"
#include "solvers/euler/advance/cuda/second_order/tuning.hpp"
#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/fused/launched.cuh"
#include "solvers/euler/advance/shared/parts/flow_part.cuh"

namespace wale::euler::second_order {

namespace {

__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Where a launch may begin before the one before it is done: lets the next begin, and waits for the one
/// before, whose results are read behind this.
__device__ inline void await_launch_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Asks for `count` things to be brought to the cache that all multiprocessors share.
template <class T>
__device__ inline void prefetch(const T* from, index_t count) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const auto first = reinterpret_cast<std::uintptr_t>(from) & ~std::uintptr_t{15};
    const auto last = reinterpret_cast<std::uintptr_t>(from + count) & ~std::uintptr_t{15};
    if (last > first)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first),
                     "r"(static_cast<unsigned>(last - first))
                     : "memory");
#else
    (void)from;
    (void)count;
#endif
}

/// What a tile reads that no other does or few do.
template <class Real>
__device__ inline void prefetch(const task<Real>& t, const tile& own) {
    prefetch(t.halo + own.halo, own.all - own.own);
    for (int i = 0; i < 2; ++i) prefetch(t.links + i * t.rows + own.rows, own.one);
    for (int i = 0; i < geometry_chunks<Real>::count; ++i)
        prefetch(t.geometry + i * t.rows + own.rows, own.one);
    prefetch(t.areas + own.areas, own.faces);
    prefetch(t.now + own.first, own.own);
    for (int v = 0; v < variables; ++v) prefetch(t.old + v * t.cells + own.first, own.own);
}

template <euler_flux Flux, class Real>
__global__ void __launch_bounds__(second_order_threads<Real>, 1)
    take_tile_stage(const __grid_constant__ task<Real> t, const device_time* time) {
    extern __shared__ chunk memory[];
    const auto tile_of = [&](unsigned block) { return t.tiles[t.backwards ? gridDim.x - 1 - block : block]; };
    const tile own = tile_of(blockIdx.x);
    const tile_stage<Flux, Real> stage(t, own, reinterpret_cast<char*>(memory), static_cast<int>(threadIdx.x),
                                       static_cast<int>(blockDim.x));
    const int thread = static_cast<int>(threadIdx.x);
    const auto links = stage.links_ahead(thread);
    stage.fetch([] { await_launch_before(); });
    await_launch_before();
    if (time != nullptr && time->stopped) return;
    if (threadIdx.x == 0 && blockIdx.x + t.at_once < gridDim.x) prefetch(t, tile_of(blockIdx.x + t.at_once));
    wait_for_copies();
    __syncthreads();
    stage.gradients(links);
    const face_area<Real> area = stage.area_ahead(thread);
    __syncthreads();
    const auto own_cell = stage.ahead(thread);
    stage.fluxes(area);
    __syncthreads();
    stage.move(time != nullptr ? time->taken : 0, own_cell);
}

/// The same in two kernels: gradients once a cell, states at faces through device memory.
template <class Real>
__global__ void __launch_bounds__(second_order_threads<Real>, 1)
    carry_tiles(const __grid_constant__ task<Real> t, const device_time* time) {
    extern __shared__ chunk memory[];
    const tile own = t.tiles[t.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x];
    const tile_stage<euler_flux::central, Real, true> stage(
        t, own, reinterpret_cast<char*>(memory), static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
    const auto links = stage.links_ahead(static_cast<int>(threadIdx.x));
    stage.fetch([] { await_launch_before(); });
    await_launch_before();
    if (time != nullptr && time->stopped) return;
    wait_for_copies();
    __syncthreads();
    stage.gradients(links);
}
template <euler_flux Flux, class Real>
__global__ void __launch_bounds__(second_order_threads<Real>, 1)
    move_tiles(const __grid_constant__ task<Real> t, const device_time* time) {
    extern __shared__ chunk memory[];
    const tile own = t.tiles[t.backwards ? blockIdx.x : gridDim.x - 1 - blockIdx.x];
    await_launch_before();
    if (time != nullptr && time->stopped) return;
    const int thread = static_cast<int>(threadIdx.x);
    const tile_stage<Flux, Real, true> stage(t, own, reinterpret_cast<char*>(memory), thread,
                                             static_cast<int>(blockDim.x));
    const face_area<Real> area = stage.area_ahead(thread);
    stage.fetch_sides();
    __syncthreads();
    const auto own_cell = stage.ahead(thread);
    stage.fluxes(area);
    __syncthreads();
    stage.move(time != nullptr ? time->taken : 0, own_cell);
}

template <class Real>
__global__ void publish_tiles(const __grid_constant__ task<Real> t, const Real* states) {
    const tile own = t.tiles[blockIdx.x];
    tile_stage<euler_flux::central, Real>(t, own, nullptr, static_cast<int>(threadIdx.x),
                                          static_cast<int>(blockDim.x))
        .publish_all(states);
}

/// From [5][cells] in the order of numbers to [cells][5] in the system's, or back.
template <class Real>
__global__ void reorder(index_t cells, const std::int32_t* order, const Real* from, Real* to, bool back) {
    const index_t word = cell_of_thread();
    if (word >= variables * cells) return;
    const index_t there = variables * index_t{order[word % cells]} + word / cells;
    to[back ? word : there] = from[back ? there : word];
}

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
    /// The share of one device.
    tiles_session(const advance_job& job, const cuda::context& on, const second_order_policy& choice,
                  const plan<Real>& p, const part_share& share)
        : launched_session<Real>(job, true), choice_(choice), border_(share.border) {
        std::vector<tile> tiles;
        for (const std::int32_t t : share.tiles) tiles.push_back(p.tiles[static_cast<std::size_t>(t)]);
        tiles_ = {on, tiles};
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
    [[nodiscard]] const device_mesh<Real>& grid_of_all() const override { return this->mesh(); }
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
    tiles_session(const advance_job& job, const cuda::context& on, const second_order_policy& choice,
                  const plan<Real>& p)
        : tiles_session(job, on, choice, p, all_tiles(std::ssize(p.tiles), job.system->cells())) {}

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
        cudaLaunchConfig_t how{};
        how.gridDim = {tiles};
        how.blockDim = {static_cast<unsigned>(threads)};
        how.dynamicSmemBytes = static_cast<std::size_t>(bytes);
        how.stream = on.stream();
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        how.attrs = &early;
        static const bool pdl = std::getenv("FLOW_PDL") != nullptr;
        how.numAttrs = pdl ? 1 : 0;
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
    [[nodiscard]] index_t cells() const { return this->system().cells(); }
    [[nodiscard]] index_t bytes() const { return bytes_of<Real>(most_places_, most_faces_); }

    second_order_policy choice_;
    index_t border_;  // of the tiles: these come first
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
    parts.order = p.order;
    parts.shares = deal_tiles(reach, p.halo, job.system->cells(), p.ghosts, static_cast<int>(devices.size()));
    for (std::size_t d = 0; d < devices.size(); ++d)
        parts.of.push_back(
            std::make_unique<tiles_session<Real>>(advance_job{devices[d], job.system, job.state},
                                                  cuda::context(devices[d]), choice, p, parts.shares[d]));
    return parts;
}

}  // namespace
}  // namespace wale::euler::second_order
