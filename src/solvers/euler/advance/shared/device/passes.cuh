// passes - the published benchmark's schedule on tetrahedra: an iteration copies the state, finds the steps,
// and three times finds the fluxes and takes a stage. How fluxes are found is the rows' own.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "solvers/euler/advance/shared/device/held.cuh"
#include "solvers/euler/advance/shared/device/layouts.cuh"
#include "solvers/euler/advance/shared/device/session.cuh"

namespace wale::euler {

/// One cell of a mesh of tetrahedra as the published benchmark keeps it, four faces a cell and no row of
/// pointers, as cell.hpp's templates see a grid: rows 0 to 3.
template <class Real, euler_layout Layout>
struct tetrahedra_grid {
    index_t cells, stride;
    const std::int32_t* ids;  // [4][stride], or [cells][4]
    const Real* normals;      // [4][3][stride], or [cells][4][3]
    const Real* volumes;      // [cells]
    const euler_boundary* kinds;
    const gas_point<Real>* said;
    index_t cell = 0;

    [[nodiscard]] __device__ tetrahedra_grid of(index_t which) const {
        tetrahedra_grid one = *this;
        one.cell = which;
        return one;
    }
    [[nodiscard]] __device__ index_t begin(index_t) const { return 0; }
    [[nodiscard]] __device__ index_t end(index_t) const { return 4; }
    [[nodiscard]] __device__ index_t place(index_t row, index_t rows) const {
        return Layout == euler_layout::variable_major ? row * stride + cell : rows * cell + row;
    }
    [[nodiscard]] __device__ std::int32_t neighbour(index_t row) const { return ids[place(row, 4)]; }
    __device__ void normal(index_t row, Real* n) const {
        for (int d = 0; d < 3; ++d) n[d] = normals[place(3 * row + d, 12)];
    }
    [[nodiscard]] __device__ Real volume(index_t which) const { return volumes[which]; }
};

/// Its arrays on a device.
template <class Real, euler_layout Layout>
class tetrahedra_arrays {
public:
    tetrahedra_arrays(const cuda::context& on, const flow_system& system, const plain_grid<Real>& device,
                      index_t stride)
        : grid_{system.cells(), stride, nullptr, nullptr, device.volumes, device.kinds, device.said} {
        const host_arrays<Real> host(system);
        ids_ = cuda::device_array<std::int32_t>(on, turned(system.grid.neighbour, 4));
        normals_ = cuda::device_array<Real>(on, turned(host.normals, 12));
        grid_.ids = ids_.data();
        grid_.normals = normals_.data();
    }
    [[nodiscard]] const tetrahedra_grid<Real, Layout>& grid() const { return grid_; }

private:
    template <class T>
    [[nodiscard]] std::vector<T> turned(const std::vector<T>& cell_major, index_t rows) const {
        if (Layout != euler_layout::variable_major) return cell_major;
        std::vector<T> out(static_cast<std::size_t>(rows * grid_.stride));
        for (index_t cell = 0; cell < grid_.cells; ++cell)
            for (index_t r = 0; r < rows; ++r)
                out[static_cast<std::size_t>(r * grid_.stride + cell)] =
                    cell_major[static_cast<std::size_t>(rows * cell + r)];
        return out;
    }
    tetrahedra_grid<Real, Layout> grid_;
    cuda::device_array<std::int32_t> ids_;
    cuda::device_array<Real> normals_;
};

namespace {

constexpr int block_of_passes = passes_policies[0].policy.block;

template <class Real, euler_layout Layout>
struct pass_task {
    tetrahedra_grid<Real, Layout> grid;
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
class passes_session : public device_session<Real> {
    using states = flow_states<Real, Layout>;

public:
    explicit passes_session(const advance_job& job) : passes_session(job, cuda::context(job.where)) {}

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
    passes_session(const advance_job& job, const cuda::context& on)
        : device_session<Real>(job),
          stride_((cells() / block_of_passes + 1) * block_of_passes),
          grid_(on, this->system(), this->mesh().grid(), stride_),
          step_(cells(), on.device()) {
        for (auto& b : buffers_) b = cuda::device_array<Real>(states::size(stride_), on.device());
    }
    [[nodiscard]] index_t cells() const { return this->system().cells(); }
    [[nodiscard]] states buffer(std::size_t b) const { return {buffers_[b].data(), stride_}; }

    index_t stride_;
    tetrahedra_arrays<Real, Layout> grid_;
    cuda::device_array<Real> step_;
    std::array<cuda::device_array<Real>, 3> buffers_;  // now, old, fluxes
};

/// Why neither of these rows can do a job; empty if they can.
[[nodiscard]] std::string why_not_passes(const flow_system& system) {
    const euler_options& o = system.options;
    if (!system.published || o.scheme.fixed_step > 0) return "takes only the published flux and step";
    if (!system.all_have_four_faces()) return "takes only tetrahedra";
    if (o.scheme.smoothing > 0 || o.scheme.levels > 1) return "has neither smoothing nor multigrid";
    if (o.layout == euler_layout::packed) return "has no packed states";
    return "";
}

}  // namespace
}  // namespace wale::euler
