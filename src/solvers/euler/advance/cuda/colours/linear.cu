// linear - see linear.cuh. A block is spread over threads: a thread has a row of it in sweeps and products,
// an entry where diagonals are summed and inverted.
#include "solvers/euler/advance/cuda/colours/linear.cuh"

#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace {

__global__ void __launch_bounds__(colours_block) find_points(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_thread();
    if (cell < t.grid.cells) t.points[cell] = point_of(t.state + variables * cell, t.k);
}

__global__ void __launch_bounds__(colours_block) find_waves(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_thread();
    if (cell >= t.grid.cells) return;
    const double* const b = t.balance + variables * cell;
    t.waves[cell] = waves_for(t.grid, stored_points{t.points}, cell, balance{b[0], b[1], b[2], b[3], b[4]},
                              t.words->cfl, t.k);
}

template <euler_flux Flux>
__global__ void __launch_bounds__(colours_block)
    find_blocks(const __grid_constant__ colours_task t, index_t rows) {
    const index_t row = cell_of_thread();
    if (row >= rows) return;
    const balance units{t.units[0], t.units[1], t.units[2], t.units[3], t.units[4]};
    const block b = face_block<Flux>(t.grid, stored_points{t.points}, t.cell_of_row[row], row, units, t.k);
    for (int e = 0; e < block_entries; ++e)
        t.beside[block_entries * row + e] = static_cast<float>(b[static_cast<std::size_t>(e)]);
}

/// inverse_of(), an entry a lane: `a` is lane (i + 5 j)'s entry of the matrix; that of the inverse.
__device__ double inverted(double a, int i, int j, const double* units) {
    double b = i == j ? 1 : 0;
    double unit[variables];
    for (int r = 0; r < variables; ++r) unit[r] = units[r];
    const auto from = [](double x, int row, int column) {
        return __shfl_sync(cuda::whole_warp, x, row + variables * column);
    };
#pragma unroll
    for (int c = 0; c < variables; ++c) {
        int pivot = c;
        double most = fabs(from(a, c, c)) / unit[c];
#pragma unroll
        for (int r = c + 1; r < variables; ++r) {
            const double size = fabs(from(a, r, c)) / unit[r];
            if (size > most) {
                most = size;
                pivot = r;
            }
        }
#pragma unroll
        for (int r = c + 1; r < variables; ++r)
            if (r == pivot) {
                const double other = unit[r];
                unit[r] = unit[c];
                unit[c] = other;
            }
        const int source = i == c ? pivot : i == pivot ? c : i;
        a = from(a, source, j);
        b = from(b, source, j);
        const double scale = 1 / from(a, c, c);
        if (i == c) {
            a *= scale;
            b *= scale;
        }
        const double part = from(a, i, c);
        const double above = from(a, c, j), beyond = from(b, c, j);
        if (i == c) continue;
        a -= part * above;
        b -= part * beyond;
    }
    return b;
}

/// A warp a cell.
__global__ void __launch_bounds__(colours_block) invert_diagonals(const __grid_constant__ colours_task t) {
    const index_t cell = cell_of_thread() / 32;
    if (cell >= t.grid.cells) return;
    const int lane = static_cast<int>(threadIdx.x % 32), entry = lane < block_entries ? lane : 0;
    const int i = entry % variables, j = entry / variables;
    double d = i == j ? t.of_time(cell) : 0;
    for (index_t row = t.grid.begin(cell); row < t.grid.end(cell); ++row) {
        // What enters the neighbour leaves this cell: the neighbour's block of this face, turned.
        const bool patch = is_patch(t.grid.neighbour(row));
        const float b = t.beside[block_entries * (patch ? row : t.grid.opposite(row)) + entry];
        d += static_cast<double>(patch ? b : -b);
    }
    const double inverse = inverted(d, i, j, t.units);
    if (lane >= block_entries) return;
    t.diagonal[block_entries * cell + entry] = static_cast<float>(d);
    t.inverse[block_entries * cell + entry] = static_cast<float>(inverse);
}

/// Row `i` of a block times x.
__device__ inline double product(const float* block, int i, const double* x) {
    double sum = 0;
#pragma unroll
    for (int j = 0; j < variables; ++j) sum += static_cast<double>(block[i + variables * j]) * x[j];
    return sum;
}

/// Where the squares of the change have all been summed, the step of a difference of residuals: 1e-7 of the
/// free stream in the mean.
__device__ void find_difference(const colours_task& t, const colour_range& range, double square) {
    constexpr double step = 1e-7;
    const double sum = sum_of_block(square);
    if (threadIdx.x == 0) t.parts[range.part + blockIdx.x] = sum;
    if (!range.is_last || !is_last_block(t.words)) return;
    const double all = sum_of_parts(t.parts, range.part + gridDim.x);
    if (threadIdx.x == 0) t.words->difference = step * sqrt(static_cast<double>(t.grid.cells) / all);
}

__global__ void __launch_bounds__(colours_block)
    sweep_colour(const __grid_constant__ colours_task t, const __grid_constant__ colour_range range) {
    const five_place p;
    const bool is_cell = p.at >= 0 && range.first + p.at < range.last;
    double sum = 0, x = 0;
    index_t cell = 0;
    if (is_cell) {
        const swept_cell own = t.sweep[range.first + p.at];
        cell = own.cell;
        const bool latest = range.from == latest_direction;
        const int from = latest ? t.words->taken : range.from;
        sum = t.direction(from)[variables * cell + p.v] * t.unit(cell, p.v);
        if (latest) sum *= t.words->inverse[from];
        for (int r = 0; r < own.rows; ++r) {
            const std::int32_t other = t.grid.neighbour(own.row + r);
            if (is_patch(other)) continue;
            sum -= product(t.beside + block_entries * (own.row + r), p.v, t.swept + variables * other);
        }
    }
    const float* const inverse = t.inverse + block_entries * cell + p.v;
#pragma unroll
    for (int j = 0; j < variables; ++j) x += static_cast<double>(inverse[variables * j]) * p.of(sum, j);
    if (is_cell) t.swept[variables * cell + p.v] = x;
    if (range.part < 0) return;
    const double part = is_cell ? x / t.units[p.v] : 0;
    find_difference(t, range, part * part);
}

__global__ void __launch_bounds__(colours_block) multiply(const __grid_constant__ colours_task t) {
    const five_place p;
    if (p.at < 0 || p.at >= t.grid.cells || t.words->done != 0) return;
    const index_t cell = p.at;
    double sum = product(t.diagonal + block_entries * cell, p.v, t.swept + variables * cell);
    for (index_t row = t.grid.begin(cell); row < t.grid.end(cell); ++row) {
        const std::int32_t other = t.grid.neighbour(row);
        if (!is_patch(other))
            sum += product(t.beside + block_entries * row, p.v, t.swept + variables * other);
    }
    t.direction(t.words->taken + 1)[variables * cell + p.v] = sum / t.unit(cell, p.v);
}

}  // namespace

void queue_assembly(const cuda::context& on, const colours_task& t, index_t rows, euler_flux flux) {
    const unsigned cells = blocks_of(t.grid.cells, colours_block);
    find_points<<<cells, colours_block, 0, on.stream()>>>(t);
    find_waves<<<cells, colours_block, 0, on.stream()>>>(t);
    with_flux(flux, [&]<euler_flux Flux>() {
        find_blocks<Flux><<<blocks_of(rows, colours_block), colours_block, 0, on.stream()>>>(t, rows);
    });
    invert_diagonals<<<blocks_of(32 * t.grid.cells, colours_block), colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}

void queue_colour(const cuda::context& on, const colours_task& t, const colour_range& range) {
    const auto blocks = static_cast<unsigned>(blocks_by_fives(range.last - range.first));
    sweep_colour<<<blocks, colours_block, 0, on.stream()>>>(t, range);
    cuda::check_launch();
}

void queue_product(const cuda::context& on, const colours_task& t) {
    const auto blocks = static_cast<unsigned>(blocks_by_fives(t.grid.cells));
    multiply<<<blocks, colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}

}  // namespace wale::euler
