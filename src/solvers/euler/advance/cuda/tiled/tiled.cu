// tiled - tiles are cut on the host, packed on the device; iterations are a recorded graph.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda/recorded_graph.cuh"
#include "solvers/euler/advance/cuda/tiled/prepare.cuh"
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

template <class Real>
class tiled_session final : public device_session<Real> {
public:
    explicit tiled_session(const advance_job& job) : tiled_session(job, cuda::context(job.where)) {}

protected:
    void iterate(const cuda::context& on, index_t count) override {
        if (backwards_ && count > 0) {
            queue(on);
            --count;
        }
        if (count >= recorded && !graph_)
            graph_ = cuda::recorded_graph(on, [this](const cuda::context& recorder) {
                for (index_t i = 0; i < recorded; ++i) queue(recorder);
            });
        for (; count >= recorded; count -= recorded) graph_.launch(on);
        for (; count > 0; --count) queue(on);
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
        : device_session<Real>(job),
          row_(tuning::choose("euler/advance/tiled", tiled_policies, on.sm(), sizeof(Real))),
          closed_(is_closed<Real>(this->system().grid)) {
        const tiled_policy& p = tiled_policies[row_].policy;
        const meshes::deep_tiling cut =
            meshes::tile_cells(this->system().grid.neighbour, {parts(on), p.two, p.all});
        order_ = {on, cut.order};
        tiles_ = {on, cut.tiles};
        halo_ = {on, cut.halo};
        for (auto& s : states_) s = {this->system().cells(), on.device()};
        set_numbers(on);
        if (!cut.tiles.empty()) place_geometry(on, cut);
    }

    [[nodiscard]] index_t at_once(const cuda::context& on) const {
        return index_t{on.multiprocessors()} * tiled_policies[row_].policy.blocks;
    }
    /// As many as give each tile the cells aimed at or fewer, and all multiprocessors the same number of
    /// tiles.
    [[nodiscard]] index_t parts(const cuda::context& on) const {
        const tiled_policy& p = tiled_policies[row_].policy;
        const index_t rounds = (this->system().cells() + p.own * at_once(on) - 1) / (p.own * at_once(on));
        return std::min(rounds * at_once(on), this->system().cells() / least_own + 1);
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

    void queue(const cuda::context& on) {
        tuning::with_row<tiled_policies, sizeof(Real)>(row_, [&]<int Row>() {
            with_closure([&]<bool Closed>() {
                constexpr int bytes = form<Row, Real, Closed>::bytes;
                const auto kernel = iterate_tiles<Row, Real, Closed>;
                cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
                kernel<<<static_cast<unsigned>(tiles_.size()), tiled_policies[Row].policy.threads, bytes,
                         on.stream()>>>(task_, states_[backwards_ ? 1 : 0].data(),
                                        states_[backwards_ ? 0 : 1].data(), backwards_);
            });
        });
        cuda::check_launch();
        backwards_ = !backwards_;
    }
    [[nodiscard]] packed_state<Real>* now() const { return states_[backwards_ ? 1 : 0].data(); }

    std::size_t row_;
    bool closed_;
    bool backwards_ = false;  // after an odd number of iterations: the state is in the second array
    task<Real> task_{};
    cuda::device_array<std::int32_t> order_, halo_;
    cuda::device_array<meshes::deep_tile> tiles_;
    cuda::device_array<chunk<Real>> geometry_;
    cuda::device_array<packed_state<Real>> states_[2];
    cuda::recorded_graph graph_;
};

}  // namespace
}  // namespace tiled

namespace {

std::string refusal(const advance_job& job) {
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

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<tiled::tiled_session<Real>>(job);
    });
}

}  // namespace

extern constinit const flow_row advance_cuda_tiled{
    "cuda/tiled", "three stages in one pass over tiles with three layers of neighbours in shared memory",
    create, refusal};

}  // namespace wale::euler
