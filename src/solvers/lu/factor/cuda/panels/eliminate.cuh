// eliminate - a small matrix whole in the shared memory of a block: pivot, exchange, divide, subtract.
#pragma once

#include "solvers/lu/factor/cuda/panels/rules.cuh"

namespace wale::lu::panels {

/// The row of the pivot of column k, the same for all threads of the block. Two barriers must lie between two
/// calls.
template <class T>
__device__ int find_pivot(const strided<T>& a, int rows, int k) {
    using R = real_of<T>;
    __shared__ candidate<R> of_warp[32];
    candidate<R> best;
    for (int i = k + static_cast<int>(threadIdx.x); i < rows; i += static_cast<int>(blockDim.x))
        best.meet(candidate<R>::of(pivot_size(a(i, k)), i, k));
    best = best_of_lanes<32>(best);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = best;
    __syncthreads();
    const unsigned lane = threadIdx.x % 32;
    return best_of_lanes<32>(lane < blockDim.x / 32 ? of_warp[lane] : candidate<R>{}).row;
}

/// Factors a matrix that lies by columns; thread 0 has the tally. The block has whole warps.
template <class T>
__device__ tally eliminate(const strided<T>& a, int rows, int columns, const rules& by) {
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const int lane = thread % 32, warp = thread / 32, warps = threads / 32;
    tally found;
    for (int k = 0; k < min(rows, columns); ++k) {
        const int pivot = by.pivots ? find_pivot(a, rows, k) : k;
        for (int j = thread; pivot != k && j < columns; j += threads) {
            const T upper = a(k, j);
            a(k, j) = a(pivot, j);
            a(pivot, j) = upper;
        }
        if (thread == 0 && by.to) by.to[k] = pivot;
        __syncthreads();
        const T u = ruled_pivot(a(k, k), by, thread == 0);
        if (thread == 0) found.add(u, k, pivot != k);
        const divisor<T> under(u);
        __syncthreads();  // all have read the pivot
        if (thread == 0) a(k, k) = u;
        for (int i = k + 1 + thread; i < rows; i += threads) a(i, k) = under.of(a(i, k));
        __syncthreads();
        for (int j = k + 1 + warp; j < columns; j += warps) {
            const T right = a(k, j);
            for (int i = k + 1 + lane; i < rows; i += 32)
                a(i, j) = cuda::less_product(a(i, j), a(i, k), right);
        }
        __syncthreads();
    }
    return found;
}

extern __shared__ __align__(16) unsigned char panels_memory[];

template <class T>
__global__ void panels_small(const __grid_constant__ device_batch<T> all,
                             const __grid_constant__ all_rules by) {
    for (index_t i = blockIdx.x; i < all.count; i += gridDim.x) {
        const device_matrix<T> m = all[i];
        const int rows = static_cast<int>(m.rows), columns = static_cast<int>(m.columns);
        const strided<T> far = m.elements(), here{reinterpret_cast<T*>(panels_memory), 1, rows | 1};
        const bool by_rows = far.column_step == 1;
        const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
        const auto carry = [&](const strided<T>& from, const strided<T>& to) {
            for (int line = warp; line < (by_rows ? rows : columns);
                 line += static_cast<int>(blockDim.x) / 32)
                for (int e = lane; e < (by_rows ? columns : rows); e += 32) {
                    const int r = by_rows ? line : e, c = by_rows ? e : line;
                    to(r, c) = from(r, c);
                }
            __syncthreads();
        };
        carry(far, here);
        const tally found = eliminate(here, rows, columns, by.of(i, m));
        if (threadIdx.x == 0) found.note_as(by, i);
        carry(here, far);
    }
}

}  // namespace wale::lu::panels
