// passes - the published benchmark's schedule on tetrahedra: an iteration copies the state, finds the steps,
// and three times finds the fluxes and takes a stage. How fluxes are found is the rows' own.
#pragma once

#include <array>
#include <optional>

#include "solvers/euler/cuda/engine.cuh"
#include "solvers/euler/cuda/four_faces.cuh"
#include "solvers/euler/cuda/held.cuh"
#include "solvers/euler/cuda/layouts.cuh"

namespace wale::euler {

namespace {

constexpr int block_of_passes = passes_policies[0].policy.block;

template <class Real, euler_layout Layout>
struct pass_task {
    four_faces<Real, Layout> grid;
    flow_states<Real, Layout> now, old, flux;
    Real* step;  // [cells] over the volume
    constants<Real> k;
};

template <euler_constants Where, class Real, euler_layout Layout>
__global__ void __launch_bounds__(block_of_passes)
    find_steps(const __grid_constant__ pass_task<Real, Layout> t) {
    const index_t cell = cell_of_thread();
    if (cell >= t.grid.cells) return;
    const constants<Real> k = held<Where>(t.k);
    const gas_point<Real> own = points_in<Real, Layout>{t.now}.point(cell, k);
    t.step[cell] = step_over_volume(euler_step::rodinia, t.grid, own, cell, k);
}

template <euler_constants Where, class Real, euler_layout Layout>
__global__ void __launch_bounds__(block_of_passes)
    take_stage(const __grid_constant__ pass_task<Real, Layout> t, int stage) {
    const index_t cell = cell_of_thread();
    if (cell >= t.grid.cells) return;
    const constants<Real> k = held<Where>(t.k);
    const Real a = of_stage(k.from_old, stage), b = of_stage(k.from_now, stage);
    const Real step = of_stage(k.from_flux, stage) * t.step[cell];
    for (int v = 0; v < variables; ++v)
        t.now(cell, v) = a * t.old(cell, v) + b * t.now(cell, v) + step * t.flux(cell, v);
}

template <class Real, euler_layout Layout, euler_constants Where>
class passes_engine : public device_engine<Real> {
    using states = flow_states<Real, Layout>;

public:
    explicit passes_engine(const advance_job& job) : passes_engine(job, cuda::context(job.where)) {}

protected:
    using task = pass_task<Real, Layout>;
    virtual void queue_fluxes(const cuda::context& on, const task& t, unsigned blocks) = 0;

    void iterate(const cuda::context& on, index_t count) override {
        std::optional<constant_memory_in_use> held;
        if (Where == euler_constants::constant_memory) held.emplace(on, this->numbers());
        const unsigned blocks = blocks_of(cells(), block_of_passes);
        const task t{grid_.grid(), buffer(0), buffer(1), buffer(2), step_.data(), this->numbers()};
        for (index_t i = 0; i < count; ++i) {
            cuda::check(cudaMemcpyAsync(t.old.at, t.now.at, buffers_[0].bytes(), cudaMemcpyDeviceToDevice,
                                        on.stream()));
            find_steps<Where><<<blocks, block_of_passes, 0, on.stream()>>>(t);
            for (int stage = 0; stage < stages; ++stage) {
                queue_fluxes(on, t, blocks);
                take_stage<Where><<<blocks, block_of_passes, 0, on.stream()>>>(t, stage);
            }
        }
        cuda::check_launch();
    }
    void store(const cuda::context& on, Real* to) override { queue_lay_back(on, to, buffer(0), cells()); }
    void load(const cuda::context& on, const Real* from) override {
        queue_lay_out(on, buffer(0), from, cells(), this->numbers());
    }
    [[nodiscard]] std::string policy() const override {
        return std::string("layout=") + name_of(Layout) + " constants=" + name_of(Where) +
               " block=" + std::to_string(block_of_passes);
    }

private:
    passes_engine(const advance_job& job, const cuda::context& on)
        : device_engine<Real>(job),
          stride_((cells() / block_of_passes + 1) * block_of_passes),
          grid_(on, this->system(), this->mesh().grid(), stride_),
          step_(cells(), on.device()) {
        for (auto& b : buffers_) b = cuda::device_array<Real>(states::size(stride_), on.device());
    }
    [[nodiscard]] index_t cells() const { return this->system().cells(); }
    [[nodiscard]] states buffer(std::size_t b) const { return {buffers_[b].data(), stride_}; }

    index_t stride_;
    four_faces_arrays<Real, Layout> grid_;
    cuda::device_array<Real> step_;
    std::array<cuda::device_array<Real>, 3> buffers_;  // now, old, fluxes
};

/// Why neither of these rows can do a job; empty if they can.
[[nodiscard]] std::string why_not_passes(const flow_system& system) {
    const euler_options& o = system.options;
    if (!system.published || o.scheme.fixed_step > 0) return "takes only the published flux and step";
    if (!all_have_four_faces(system)) return "takes only tetrahedra";
    if (o.scheme.smoothing > 0 || o.scheme.levels > 1) return "has neither smoothing nor multigrid";
    if (o.layout == euler_layout::packed) return "has no packed states";
    return "";
}

}  // namespace
}  // namespace wale::euler
