// tiled - tiles are cut on the host, packed on the device; iterations are a recorded graph.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda/recorded_graph.cuh"
#include "solvers/euler/advance/cuda/tiled/prepare.cuh"
#include "solvers/euler/advance/cuda/tiled/tiled.cuh"
#include "solvers/euler/advance/shared/device/session.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace tiled {
namespace {

constexpr index_t recorded = 20;  // iterations of a graph; even, as they go to and fro between two arrays

constexpr index_t least_own = 32;  // cells of a tile's own where a mesh is small: the layers cost more below

/// Whether each cell's area vectors sum to zero, to what rounding them to Real leaves.
template <class Real>
bool is_closed(const mesh& m) {
    for (index_t row = 0; row < m.rows(); row += meshes::tile_faces) {
        double sum[3] = {0, 0, 0}, most = 0;
        for (index_t i = 3 * row; i < 3 * (row + meshes::tile_faces); ++i) {
            sum[i % 3] += m.normal[static_cast<std::size_t>(i)];
            most = std::max(most, std::fabs(m.normal[static_cast<std::size_t>(i)]));
        }
        constexpr auto rounding = static_cast<double>(8 * std::numeric_limits<Real>::epsilon());
        for (const double s : sum)
            if (!(std::fabs(s) <= rounding * most)) return false;
    }
    return true;
}

/// Tiles for `devices` alike, each with all multiprocessors busy.
template <class Real>
meshes::deep_tiling cut_of(const flow_system& system, const cuda::context& on, int devices) {
    const std::size_t row = tuning::choose("euler/advance/tiled", tiled_policies, on.sm(), sizeof(Real));
    const tiled_policy& p = tiled_policies[row].policy;
    const index_t at_once = index_t{on.multiprocessors()} * p.blocks;
    const index_t cells = (system.cells() + devices - 1) / devices;
    // As many as give each tile the cells aimed at or fewer, and all multiprocessors the same number of
    // tiles.
    const index_t rounds = (cells + p.own * at_once - 1) / (p.own * at_once);
    const index_t parts = devices * std::min(rounds * at_once, cells / least_own + 1);
    return meshes::tile_cells(system.grid.neighbour, {parts, p.two, p.all});
}

template <class Real>
class tiled_session final : public device_session<Real>, public flow_part<Real> {
public:
    explicit tiled_session(const advance_job& job) : tiled_session(job, cuda::context(job.where)) {}
    /// The share of one device.
    tiled_session(const advance_job& job, const cuda::context& on, const meshes::deep_tiling& cut,
                  const part_share& share)
        : device_session<Real>(job),
          row_(tuning::choose("euler/advance/tiled", tiled_policies, on.sm(), sizeof(Real))),
          closed_(is_closed<Real>(this->system().grid)),
          border_(share.border) {
        std::vector<meshes::deep_tile> tiles;
        for (const std::int32_t t : share.tiles) tiles.push_back(cut.tiles[static_cast<std::size_t>(t)]);
        order_ = {on, cut.order};
        tiles_ = {on, tiles};
        halo_ = {on, cut.halo};
        for (auto& s : states_) s = {this->system().cells(), on.device()};
        set_numbers(on);
        if (!tiles.empty()) place_geometry(on, cut);
    }

    [[nodiscard]] int passes() const override { return 1; }
    void queue_pass(const cuda::context& on, index_t number, int, bool border) override {
        backwards_ = number % 2 != 0;
        border ? queue(on, 0, border_) : queue(on, border_, tiles_.size());
    }
    [[nodiscard]] written_records written(index_t number, int) const override {
        return {{{{reinterpret_cast<char*>(states_[number % 2 != 0 ? 0 : 1].data()),
                   sizeof(packed_state<Real>)}}}};
    }
    void queue_store(const cuda::context& on, index_t number, Real* states) override {
        backwards_ = number % 2 != 0;
        store(on, states);
    }
    void queue_load(const cuda::context& on, index_t number, const Real* states) override {
        backwards_ = number % 2 != 0;
        load(on, states);
    }
    [[nodiscard]] const device_mesh<Real>& grid() const override { return this->mesh(); }
    [[nodiscard]] const std::int32_t* numbering() const override { return order_.data(); }
    [[nodiscard]] std::string choices() const override { return policy(); }

protected:
    void iterate(const cuda::context& on, index_t count) override {
        if (backwards_ && count > 0) {
            queue_all(on);
            --count;
        }
        if (count >= recorded && !graph_)
            graph_ = cuda::recorded_graph(on, [this](const cuda::context& recorder) {
                for (index_t i = 0; i < recorded; ++i) queue_all(recorder);
            });
        for (; count >= recorded; count -= recorded) graph_.launch(on);
        for (; count > 0; --count) queue_all(on);
    }
    void store(const cuda::context& on, Real* states) override {
        unpack<<<blocks_of(this->system().cells()), threads_of_block, 0, on.stream()>>>(
            this->system().cells(), order_.data(), now(), states);
        cuda::check_launch();
    }
    void load(const cuda::context& on, const Real* states) override {
        pack<<<blocks_of(this->system().cells()), threads_of_block, 0, on.stream()>>>(
            this->mesh().grid(), order_.data(), states, task_.numbers, now());
        cuda::check_launch();
    }
    [[nodiscard]] std::string policy() const override {
        const tiled_policy& p = tiled_policies[row_].policy;
        return "threads=" + std::to_string(p.threads) + " cells=" + std::to_string(p.cells) +
               " tiles=" + std::to_string(tiles_.size()) + (closed_ ? "" : " open");
    }

private:
    tiled_session(const advance_job& job, const cuda::context& on)
        : tiled_session(job, on, cut_of<Real>(*job.system, on, 1)) {}
    tiled_session(const advance_job& job, const cuda::context& on, const meshes::deep_tiling& cut)
        : tiled_session(job, on, cut, all_tiles(std::ssize(cut.tiles), job.system->cells())) {}

    [[nodiscard]] index_t at_once(const cuda::context& on) const {
        return index_t{on.multiprocessors()} * tiled_policies[row_].policy.blocks;
    }

    void set_numbers(const cuda::context& on) {
        const constants<Real>& k = this->numbers();
        task_.numbers = {k.gamma, k.gamma_1, 1 / k.gamma_1, k.dissipation, k.cfl, {}};
        std::copy_n(k.from_flux, stages, task_.numbers.stage);
        task_.far = {k.far.rho, k.far.rho * k.far.u,   k.far.rho * k.far.v, k.far.rho * k.far.w,
                     k.far.p,   speed(k.far) + k.far.c};
        task_.at_once = static_cast<unsigned>(at_once(on));
        task_.tiles = tiles_.data();
        task_.halo = halo_.data();
    }

    void place_geometry(const cuda::context& on, const meshes::deep_tiling& cut) {
        task_.rows = std::ssize(cut.places) / meshes::tile_faces;
        const cuda::device_array<std::uint16_t> places(on, cut.places);
        const preparation from{tiles_.data(), halo_.data(), order_.data(), places.data()};
        with_closure([&]<bool Closed>() {
            geometry_ = {task_.rows * geometry<Real, Closed>::chunks, on.device()};
            write_geometry<Real, Closed>
                <<<static_cast<unsigned>(tiles_.size()), threads_of_block, 0, on.stream()>>>(
                    this->mesh().grid(), from, geometry_.data(), task_.rows);
        });
        cuda::check_launch();
        on.synchronize();
        task_.geometry = geometry_.data();
    }

    template <class F>
    void with_closure(F&& f) const {
        if (closed_)
            f.template operator()<true>();
        else
            f.template operator()<false>();
    }

    void queue_all(const cuda::context& on) {
        queue(on, 0, tiles_.size());
        backwards_ = !backwards_;
    }
    /// Tiles first <= tile < last.
    void queue(const cuda::context& on, index_t first, index_t last) {
        if (first == last) return;
        task<Real> t = task_;
        t.tiles += first;
        tuning::with_row<tiled_policies, sizeof(Real)>(row_, [&]<int Row>() {
            with_closure([&]<bool Closed>() {
                constexpr int bytes = form<Row, Real, Closed>::bytes;
                const auto kernel = iterate_tiles<Row, Real, Closed>;
                cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
                kernel<<<static_cast<unsigned>(last - first), tiled_policies[Row].policy.threads, bytes,
                         on.stream()>>>(t, states_[backwards_ ? 1 : 0].data(),
                                        states_[backwards_ ? 0 : 1].data(), backwards_);
            });
        });
        cuda::check_launch();
    }
    [[nodiscard]] packed_state<Real>* now() const { return states_[backwards_ ? 1 : 0].data(); }

    std::size_t row_;
    bool closed_;
    index_t border_;          // of the tiles: these come first
    bool backwards_ = false;  // after an odd number of iterations: the state is in the second array
    task<Real> task_{};
    cuda::device_array<std::int32_t> order_, halo_;
    cuda::device_array<meshes::deep_tile> tiles_;
    cuda::device_array<chunk<Real>> geometry_;
    cuda::device_array<packed_state<Real>> states_[2];
    cuda::recorded_graph graph_;
};

}  // namespace

template <class Real>
flow_parts<Real> parts_of(const advance_job& job, std::span<const on_cuda> devices) {
    const flow_system& system = *job.system;
    const auto cut = cut_of<Real>(system, cuda::context(devices[0]), static_cast<int>(devices.size()));
    std::vector<tile_reach> reach;
    for (const meshes::deep_tile& t : cut.tiles) reach.push_back({t.first, t.own, t.halo, t.all - t.own});
    flow_parts<Real> parts;
    parts.order = cut.order;
    parts.shares = deal_tiles(reach, cut.halo, system.cells(), {}, static_cast<int>(devices.size()));
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const advance_job own{devices[d], job.system, job.state};
        parts.of.push_back(
            std::make_unique<tiled_session<Real>>(own, cuda::context(devices[d]), cut, parts.shares[d]));
    }
    return parts;
}
template flow_parts<float> parts_of<float>(const advance_job&, std::span<const on_cuda>);
template flow_parts<double> parts_of<double>(const advance_job&, std::span<const on_cuda>);

std::string why_not(const advance_job& job) {
    const flow_system& s = *job.system;
    const euler_scheme& scheme = s.options.scheme;
    if (!is_published(scheme) || scheme.order != 1 || scheme.time == euler_time::ssp_rk3 ||
        scheme.fixed_step > 0)
        return "computes the published scheme only";
    if (scheme.smoothing > 0 || scheme.levels > 1) return "has no residual smoothing and no multigrid";
    if (!s.all_have_four_faces()) return "needs cells of four faces";
    using enum euler_boundary;
    if (s.has({inflow, outflow, pressure_inlet, pressure_outlet, mass_inlet, vortex_far_field}))
        return "has walls, symmetry and the far field only";
    if (s.options.layout != euler_layout::automatic && s.options.layout != euler_layout::packed)
        return "keeps states packed";
    if (s.options.constants != euler_constants::automatic &&
        s.options.constants != euler_constants::parameters)
        return "takes constants as parameters";
    return "";
}

}  // namespace tiled

namespace {

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<tiled::tiled_session<Real>>(job);
    });
}

}  // namespace

extern constinit const flow_row advance_cuda_tiled{
    "cuda/tiled", "three stages in one pass over tiles with three layers of neighbours in shared memory",
    create, tiled::why_not};

}  // namespace wale::euler
