// residual - see residual.cuh. Points of all cells, with ghosts; gradients; what each face brings, once; the
// sums of each cell's faces in the order of the mesh.
#include "solvers/euler/advance/cuda/colours/residual.cuh"

#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/newton/one_face.hpp"

namespace wale::euler {
namespace {

/// The cell of a thread of a pass that makes points: each ghost has a thread behind those of the cells, which
/// makes the point of the ghost's cell once more. -1 behind the last.
__device__ inline index_t cell_of_point(const colours_task& t) {
    const index_t at = cell_of_thread();
    if (at < t.grid.cells) return at;
    return at < t.grid.cells + t.ghosts ? t.cell_of_row[t.row_of_ghost[at - t.grid.cells]] : -1;
}

/// Of such a thread: the point of a cell, or what a gradient sees behind a face of it.
__device__ inline void publish(const colours_task& t, const gas_point<double>& own) {
    const index_t at = cell_of_thread();
    if (at < t.grid.cells) {
        t.points[at] = own;
        return;
    }
    const index_t row = t.row_of_ghost[at - t.grid.cells];
    const index_t patch = patch_of(t.grid.neighbour(row));
    double n[3], x[3];
    t.grid.normal(row, n);
    t.grid.offset(row, x);
    const primitives<double> seen = ghost_of(t.grid.kinds[patch], own, t.grid.said[patch], n, x, t.k).values;
    t.points[at] = {seen.at[0], seen.at[1], seen.at[2], seen.at[3], seen.at[4], 0, 0};
}

__global__ void __launch_bounds__(colours_block) difference_points(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_point(t);
    if (cell < 0) return;
    const double h = t.words->difference;
    double near[variables];
    for (int v = 0; v < variables; ++v)
        near[v] = t.state[variables * cell + v] + h * t.swept[variables * cell + v];
    publish(t, point_of(near, t.k));
}

__global__ void __launch_bounds__(colours_block)
    move_states(const __grid_constant__ colours_task t, double part) {
    const index_t cell = cell_of_point(t);
    if (cell < 0) return;
    const double* const own = t.state + variables * cell;
    balance change;
    for (int v = 0; v < variables; ++v) change[static_cast<std::size_t>(v)] = t.swept[variables * cell + v];
    change = shortened(change, point_of(own, t.k), t.k);
    double to[variables];
    for (int v = 0; v < variables; ++v) {
        to[v] = own[v] + part * change[static_cast<std::size_t>(v)];
        if (cell_of_thread() < t.grid.cells) t.moved[variables * cell + v] = to[v];
    }
    publish(t, point_of(to, t.k));
}

__global__ void __launch_bounds__(colours_block) moved_points(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_point(t);
    if (cell >= 0) publish(t, point_of(t.moved + variables * cell, t.k));
}

/// With a limiter that asks for the range of neighbours' values: a thread a cell.
__global__ void __launch_bounds__(colours_block) find_gradients(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_thread();
    if (cell < t.grid.cells) t.gradients[cell] = steady_gradient(t.grid, stored_points{t.points}, cell, t.k);
}

/// shorten_smoothly()'s factor, by all threads of a cell: `g` is the gradient of the thread's variable.
__device__ inline double smooth_part(const colours_task& t, const five_place& p, index_t cell,
                                     const double* g) {
    constexpr double threshold = 0.01;
    double density[3], pressure[3], square = 0;
    for (int d = 0; d < 3; ++d) {
        density[d] = p.of(g[d], 0);
        pressure[d] = p.of(g[d], variables - 1);
    }
    if (p.at < 0 || p.at >= t.grid.cells) return 1;
    const gas_point<double>& own = t.points[cell];
    const double light = 1 / own.rho, loose = 1 / own.p;
    for (index_t row = t.grid.begin(cell); row < t.grid.end(cell); ++row) {
        double x[3];
        t.grid.offset(row, x);
        const double a = along(density, x) * light, b = along(pressure, x) * loose;
        square += a * a + b * b;
    }
    const double excess = square / threshold;
    return 1 / (1 + excess * excess);
}

/// By weights that the mesh alone says: a thread a variable of a cell.
__global__ void __launch_bounds__(colours_block) link_gradients(const __grid_constant__ colours_task t) {
    const five_place p;
    const bool is_cell = p.at >= 0 && p.at < t.grid.cells;
    const index_t cell = is_cell ? p.at : 0;
    const auto value = [&](index_t which) { return (&t.points[which].rho)[p.v]; };
    double g[3]{};
    if (is_cell) {
        const double own = value(cell);
        const index_t last = t.first_link[cell + 1];
#pragma unroll 4
        for (index_t l = t.first_link[cell]; l < last; ++l) {
            const gradient_links::link& to = t.link[l];
            const double difference = value(to.value) - own;
            for (int d = 0; d < 3; ++d) g[d] += to.weight[d] * difference;
        }
    }
    const double part = t.k.smooth ? smooth_part(t, p, cell, g) : 1;
    if (!is_cell) return;
    for (int d = 0; d < 3; ++d) t.gradients[cell].at[p.v][d] = g[d] * part;
}

/// How near a strong shock each cell is: a thread a cell.
__global__ void __launch_bounds__(colours_block) find_shocks(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_thread();
    if (cell < t.grid.cells) t.shocks[cell] = shock_part(t.grid, stored_points{t.points}, cell, t.k);
}

/// A thread a face: into both cells, with the same bits but for the sign. Shocks is plain_shocks where strong
/// shocks are blended, else no_shocks.
template <euler_flux Flux, int Order, class Shocks>
__global__ void __launch_bounds__(colours_block)
    find_fluxes(const __grid_constant__ colours_task t, Shocks shocks) {
    const index_t at = cell_of_thread();
    if (at >= t.faces) return;
    const listed_face own = t.face[at];
    const one_face face{t.grid, own.row, own.turned};
    const flux_of<double> f = cell_residual<Flux, Order>(
        face, stored_points{t.points}, plain_gradients<double>{t.gradients}, own.cell, t.k, shocks);
    for (int v = 0; v < variables; ++v) t.flux[variables * own.row + v] = f.at[v];
    if (own.turned < 0) return;
    for (int v = 0; v < variables; ++v) t.flux[variables * own.turned + v] = -f.at[v];
}

/// The root of the mean square of density's residual, from each cell's square over its part of all volume.
__device__ void find_norm(const colours_task& t, double square) {
    const double sum = sum_of_block(square);
    if (threadIdx.x == 0) t.parts[blockIdx.x] = sum;
    if (!is_last_block(t.words)) return;
    const double all = sum_of_parts(t.parts, gridDim.x);
    if (threadIdx.x == 0) t.words->norm = sqrt(all) / t.total_volume;
}

/// A thread a variable of a cell.
__global__ void __launch_bounds__(colours_block)
    use_fluxes(const __grid_constant__ colours_task t, residual_use use) {
    const index_t entry = cell_of_thread(), cell = entry / variables;
    const int v = static_cast<int>(entry - variables * cell);
    const bool is_cell = cell < t.grid.cells;
    double sum = 0;
    if (is_cell)
        for (index_t row = t.grid.begin(cell); row < t.grid.end(cell); ++row)
            sum += t.flux[variables * row + v];
    if (use == residual_use::norm) {
        if (is_cell) t.next_balance[entry] = sum;
        const double part = is_cell && v == 0 ? sum / t.root[cell] : 0;
        find_norm(t, part * part);
        return;
    }
    if (!is_cell || t.words->done != 0) return;
    const double slope = (sum - t.balance[entry]) / t.words->difference;
    t.direction(t.words->taken + 1)[entry] = (t.of_time(cell) * t.swept[entry] - slope) / t.unit(cell, v);
}

[[nodiscard]] unsigned blocks_of_points(const colours_task& t) {
    return blocks_of(t.grid.cells + t.ghosts, colours_block);
}

}  // namespace

void queue_difference(const cuda::context& on, const colours_task& t) {
    difference_points<<<blocks_of_points(t), colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}
void queue_move(const cuda::context& on, const colours_task& t, double part) {
    move_states<<<blocks_of_points(t), colours_block, 0, on.stream()>>>(t, part);
    cuda::check_launch();
}
void queue_points(const cuda::context& on, const colours_task& t) {
    moved_points<<<blocks_of_points(t), colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}

void queue_residual(const cuda::context& on, const euler_scheme& scheme, const colours_task& t,
                    residual_use use) {
    if (scheme.order == 2 && t.first_link != nullptr)
        link_gradients<<<static_cast<unsigned>(blocks_by_fives(t.grid.cells)), colours_block, 0,
                         on.stream()>>>(t);
    else if (scheme.order == 2)
        find_gradients<<<blocks_of(t.grid.cells, colours_block), colours_block, 0, on.stream()>>>(t);
    const unsigned by_faces = blocks_of(t.faces, colours_block);
    if (t.shocks != nullptr)
        find_shocks<<<blocks_of(t.grid.cells, colours_block), colours_block, 0, on.stream()>>>(t);
    with_scheme(scheme, [&]<euler_flux Flux, int Order>() {
        if constexpr (keeps_contacts(Flux)) {
            if (t.shocks != nullptr) {
                find_fluxes<Flux, Order>
                    <<<by_faces, colours_block, 0, on.stream()>>>(t, plain_shocks<double>{t.shocks});
                return;
            }
        }
        find_fluxes<Flux, Order><<<by_faces, colours_block, 0, on.stream()>>>(t, no_shocks{});
    });
    use_fluxes<<<blocks_of(variables * t.grid.cells, colours_block), colours_block, 0, on.stream()>>>(t, use);
    cuda::check_launch();
}

}  // namespace wale::euler
