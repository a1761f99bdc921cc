// residual - see residual.cuh. A thread a cell.
#include "solvers/euler/advance/cuda/colours/residual.cuh"

#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace {

__global__ void __launch_bounds__(colours_block) difference_points(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_thread();
    if (cell >= t.grid.cells) return;
    const double h = t.words->difference;
    double near[variables];
    for (int v = 0; v < variables; ++v)
        near[v] = t.state[variables * cell + v] + h * t.swept[variables * cell + v];
    t.points[cell] = point_of(near, t.k);
}

__global__ void __launch_bounds__(colours_block)
    move_states(const __grid_constant__ colours_task t, double part) {
    const index_t cell = cell_of_thread();
    if (cell >= t.grid.cells) return;
    const double* const own = t.state + variables * cell;
    double* const to = t.moved + variables * cell;
    balance change;
    for (int v = 0; v < variables; ++v) change[static_cast<std::size_t>(v)] = t.swept[variables * cell + v];
    change = shortened(change, point_of(own, t.k), t.k);
    for (int v = 0; v < variables; ++v) to[v] = own[v] + part * change[static_cast<std::size_t>(v)];
    t.points[cell] = point_of(to, t.k);
}

__global__ void __launch_bounds__(colours_block) moved_points(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_thread();
    if (cell < t.grid.cells) t.points[cell] = point_of(t.moved + variables * cell, t.k);
}

__global__ void __launch_bounds__(colours_block) find_gradients(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_thread();
    if (cell < t.grid.cells) t.gradients[cell] = scheme_gradient(t.grid, stored_points{t.points}, cell, t.k);
}

/// The root of the mean square of density's residual, from each cell's square over its part of all volume.
__device__ void find_norm(const colours_task& t, double square) {
    const double sum = sum_of_block(square);
    if (threadIdx.x == 0) t.parts[blockIdx.x] = sum;
    if (!is_last_block(t.words)) return;
    const double all = sum_of_parts(t.parts, gridDim.x);
    if (threadIdx.x == 0) t.words->norm = sqrt(all) / t.total_volume;
}

template <euler_flux Flux, int Order>
__global__ void __launch_bounds__(colours_block)
    find_residual(const __grid_constant__ colours_task t, residual_use use) {
    const index_t cell = cell_of_thread();
    const bool is_cell = cell < t.grid.cells;
    flux_of<double> r{};
    if (is_cell)
        r = cell_residual<Flux, Order>(t.grid, stored_points{t.points}, plain_gradients<double>{t.gradients},
                                       cell, t.k);
    if (use == residual_use::norm) {
        for (int v = 0; is_cell && v < variables; ++v) t.next_balance[variables * cell + v] = r.at[v];
        const double part = is_cell ? r.at[0] / t.root[cell] : 0;
        find_norm(t, part * part);
        return;
    }
    if (!is_cell || t.words->done != 0) return;
    const double time = t.of_time(cell), h = t.words->difference;
    double* const to = t.direction(t.words->taken + 1) + variables * cell;
    for (int v = 0; v < variables; ++v) {
        const index_t at = variables * cell + v;
        to[v] = (time * t.swept[at] - (r.at[v] - t.balance[at]) / h) / t.unit(cell, v);
    }
}

}  // namespace

void queue_difference(const cuda::context& on, const colours_task& t) {
    difference_points<<<blocks_of(t.grid.cells, colours_block), colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}
void queue_move(const cuda::context& on, const colours_task& t, double part) {
    move_states<<<blocks_of(t.grid.cells, colours_block), colours_block, 0, on.stream()>>>(t, part);
    cuda::check_launch();
}
void queue_points(const cuda::context& on, const colours_task& t) {
    moved_points<<<blocks_of(t.grid.cells, colours_block), colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}

void queue_residual(const cuda::context& on, const euler_scheme& scheme, const colours_task& t,
                    residual_use use) {
    const unsigned blocks = blocks_of(t.grid.cells, colours_block);
    if (scheme.order == 2) find_gradients<<<blocks, colours_block, 0, on.stream()>>>(t);
    with_scheme(scheme, [&]<euler_flux Flux, int Order>() {
        find_residual<Flux, Order><<<blocks, colours_block, 0, on.stream()>>>(t, use);
    });
    cuda::check_launch();
}

}  // namespace wale::euler
