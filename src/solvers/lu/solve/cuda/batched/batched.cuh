// batched - a block some right-hand sides of one matrix.
#pragma once

#include "solvers/lu/solve/cuda/batched/substitute.cuh"

namespace wale::lu::batched {

/// Passed to kernels by value.
template <class T>
struct solve_work {
    device_batch<const T> factors;
    device_batch<T> b;
    const std::int32_t* pivots = nullptr;
    const std::int32_t* order = nullptr;  // numbers of the matrices to take; null: all
    index_t count = 0;
    bool transposed = false;
    int rows = 0;     // of the largest matrix
    int columns = 0;  // of a strip of right-hand sides
};

/// Between B's strip and shared memory. by_permutation: row i of the strip is row permutation[i] of B.
template <class T, bool In>
__device__ void carry_strip(const device_matrix<T>& b, const strip_room<T>& room, index_t first, int columns,
                            bool by_permutation) {
    const int n = static_cast<int>(b.rows), thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int padded = In ? (n + edge - 1) / edge * edge : n;
    const auto one = [&](int i, int c) {
        T& here = room.x[c * room.pitch + i];
        if (i >= n) {
            here = T(0);
            return;
        }
        const int row = by_permutation ? room.permutation[i] : i;
        T& far = b.data[row * b.row_step + (first + c) * b.column_step];
        if constexpr (In)
            here = far;
        else
            far = here;
    };
    if (b.row_step == 1) {
        for (int c = 0; c < columns; ++c)
            for (int i = thread; i < padded; i += threads) one(i, c);
    } else {
        for (int e = thread; e < padded * columns; e += threads) one(e / columns, e % columns);
    }
    __syncthreads();
}

/// Blocks: x over the matrices, y over the strips.
template <class T>
__global__ void __launch_bounds__(256) solve_strips(const __grid_constant__ solve_work<T> work) {
    extern __shared__ __align__(16) unsigned char memory[];
    const strip_room<T> room(memory,
                             strip_memory<T>(work.rows, work.columns, static_cast<int>(blockDim.x) / 32));
    for (index_t i = blockIdx.x; i < work.count; i += gridDim.x) {
        const index_t number = work.order ? work.order[i] : i;
        const device_matrix<const T> factors = work.factors[number];
        const device_matrix<T> b = work.b[number];
        const index_t step = static_cast<index_t>(gridDim.y) * work.columns;
        index_t first = static_cast<index_t>(blockIdx.y) * work.columns;
        if (first >= b.columns || b.rows == 0) continue;
        follow_exchanges(work.pivots ? work.pivots + factors.pivot_start : nullptr,
                         static_cast<int>(factors.rows), room.permutation, room.pivots);
        for (; first < b.columns; first += step) {
            const int columns = static_cast<int>(min(b.columns - first, static_cast<index_t>(work.columns)));
            carry_strip<T, true>(b, room, first, columns, !work.transposed);
            solve_strip(factors, room, columns, work.transposed);
            carry_strip<T, false>(b, room, first, columns, work.transposed);
        }
    }
}

}  // namespace wale::lu::batched
