// batched - a block a matrix: the inverse is the solution for the columns of P, strip by strip. One strip
// goes straight back; more wait in the block's scratch, as the factors are needed to the end.
#pragma once

#include "solvers/lu/solve/cuda/batched/substitute.cuh"

namespace wale::lu::batched {

/// Passed to kernels by value.
template <class T>
struct inverse_work {
    device_batch<T> all;
    const std::int32_t* pivots = nullptr;
    const std::int32_t* order = nullptr;  // numbers of the matrices to take; null: all
    index_t count = 0;
    T* scratch = nullptr;  // [blocks][rows * rows]; null: one strip is all
    int rows = 0;          // of the largest matrix
    int columns = 0;       // of a strip
};

template <class T>
__device__ void begin_strip(const strip_room<T>& room, int n, int first, int columns) {
    const int padded = (n + edge - 1) / edge * edge;
    for (int c = 0; c < columns; ++c)
        for (int i = static_cast<int>(threadIdx.x); i < padded; i += static_cast<int>(blockDim.x))
            room.x[c * room.pitch + i] = i < n && room.permutation[i] == first + c ? T(1) : T(0);
    __syncthreads();
}

/// Neighbouring threads along the lines of `to`.
template <class T>
__device__ void end_strip(const strip_room<T>& room, const device_matrix<T>& to, int first, int columns) {
    const int n = static_cast<int>(to.rows), thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    for (int e = thread; e < n * columns; e += threads) {
        const int i = to.row_step == 1 ? e % n : e / columns;
        const int c = to.row_step == 1 ? e / n : e % columns;
        to.data[i * to.row_step + (first + c) * to.column_step] = room.x[c * room.pitch + i];
    }
    __syncthreads();
}

template <class T>
__device__ void copy_back(const device_matrix<T>& from, const device_matrix<T>& to) {
    const int n = static_cast<int>(to.rows);
    const index_t from_line = to.row_step == 1 ? from.column_step : from.row_step;
    const index_t to_line = to.row_step == 1 ? to.column_step : to.row_step;
    for (int line = 0; line < n; ++line)
        for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
            to.data[line * to_line + i] = from.data[line * from_line + i];
    __syncthreads();
}

template <class T>
__global__ void __launch_bounds__(256) invert(const __grid_constant__ inverse_work<T> work) {
    extern __shared__ __align__(16) unsigned char memory[];
    const strip_room<T> room(memory,
                             strip_memory<T>(work.rows, work.columns, static_cast<int>(blockDim.x) / 32));
    for (index_t i = blockIdx.x; i < work.count; i += gridDim.x) {
        const device_matrix<T> m = work.all[work.order ? work.order[i] : i];
        const device_matrix<const T> factors{m.data,    m.row_step,    m.column_step, m.rows,
                                             m.columns, m.pivot_start, m.row_start};
        const int n = static_cast<int>(m.rows);
        follow_exchanges(work.pivots ? work.pivots + m.pivot_start : nullptr, n, room.permutation,
                         room.pivots);
        device_matrix<T> to = m;
        if (n > work.columns) {
            to.data = work.scratch + blockIdx.x * (static_cast<index_t>(work.rows) * work.rows);
            (m.row_step == 1 ? to.column_step : to.row_step) = n;
        }
        for (int first = 0; first < n; first += work.columns) {
            const int columns = min(work.columns, n - first);
            begin_strip(room, n, first, columns);
            solve_strip(factors, room, columns, false);
            end_strip(room, to, first, columns);
        }
        if (n > work.columns) copy_back(to, m);
    }
}

}  // namespace wale::lu::batched
