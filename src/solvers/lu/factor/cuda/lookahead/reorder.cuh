// reorder - what the panels' exchanges do to the columns left of them, once for all of them at the end: each
// column is read and written once, whatever the number of panels. And copies between row- and column-major.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/panel_grid.hpp"
#include "solvers/lu/factor/cuda/lookahead/tuning.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {

/// sources[s * rows + i]: the row that panel s moved to row i, for i from its first. Becomes the row that
/// panels after s together move there, and permutation the row that all moved. Joined panels have exchanged
/// each other's rows, so only what comes after the last of them is asked for.
struct compose_job {
    const std::int32_t* sources;
    std::int32_t* later;
    std::int32_t* permutation;  // may be null
    int rows, panels;
    panel_grid grid;
};
template <int Threads>
__global__ void __launch_bounds__(Threads) compose_kernel(compose_job job) {
    const int i = static_cast<int>(blockIdx.x * Threads + threadIdx.x);
    if (i >= job.rows) return;
    int row = i;
    for (int s = job.panels - 1; s >= 0; --s) {
        job.later[index_t{s} * job.rows + i] = row;
        if (row >= job.grid.first(s)) row = job.sources[index_t{s} * job.rows + row];
    }
    if (job.permutation) job.permutation[i] = row;
}

template <class T>
struct reorder_job {
    T* a;  // column `begin`
    index_t leading;
    const std::int32_t* later;
    T* spare;  // [blocks of the grid][rows], or null: shared memory holds a column
    int rows;
    int begin, columns;  // from column `begin` to those of all panels but the last ones, joined or alone
    panel_grid grid;
};
/// A block a column at a time.
template <class T>
__global__ void __launch_bounds__(reorder_threads) reorder_kernel(reorder_job<T> job) {
    extern __shared__ __align__(16) unsigned char memory[];
    T* copy = job.spare ? job.spare + index_t{blockIdx.x} * job.rows : reinterpret_cast<T*>(memory);
    const int thread = static_cast<int>(threadIdx.x);
    for (int j = job.begin + static_cast<int>(blockIdx.x); j < job.columns;
         j += static_cast<int>(gridDim.x)) {
        const int panel = job.grid.last(job.grid.of(j)), first = job.grid.first(panel + 1);
        const std::int32_t* later = job.later + index_t{panel} * job.rows;
        T* column = job.a + index_t{j - job.begin} * job.leading;
        for (int i = first + thread; i < job.rows; i += reorder_threads) copy[i - first] = column[i];
        __syncthreads();
#pragma unroll 4
        for (int i = first + thread; i < job.rows; i += reorder_threads) column[i] = copy[later[i] - first];
        __syncthreads();
    }
}

/// to(i, j) = from(j, i) by tiles: both sides in whole lines. Lines of `from` are rows of `to`'s transpose.
template <class T>
struct transpose_job {
    const T* from;
    index_t from_leading;
    T* to;
    index_t to_leading;
    index_t lines, length;  // of `from`
};
inline constexpr int transpose_tile = 32, transpose_rows = 8;
template <class T>
__global__ void transpose_kernel(transpose_job<T> job) {
    __shared__ T tile[transpose_tile][transpose_tile + 1];
    const index_t across = (job.length + transpose_tile - 1) / transpose_tile;
    const index_t down = (job.lines + transpose_tile - 1) / transpose_tile;
    for (index_t b = blockIdx.x; b < across * down; b += gridDim.x) {
        const index_t x0 = b % across * transpose_tile, y0 = b / across * transpose_tile;
        for (int r = static_cast<int>(threadIdx.y); r < transpose_tile; r += transpose_rows)
            if (y0 + r < job.lines && x0 + threadIdx.x < job.length)
                tile[r][threadIdx.x] = job.from[(y0 + r) * job.from_leading + x0 + threadIdx.x];
        __syncthreads();
        for (int r = static_cast<int>(threadIdx.y); r < transpose_tile; r += transpose_rows)
            if (x0 + r < job.length && y0 + threadIdx.x < job.lines)
                job.to[(x0 + r) * job.to_leading + y0 + threadIdx.x] = tile[threadIdx.x][r];
        __syncthreads();
    }
}

}  // namespace wale::lu
