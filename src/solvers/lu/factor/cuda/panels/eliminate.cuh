// eliminate - columns of one matrix by one block, in shared or in global memory: pivot, exchange, divide,
// subtract.
#pragma once

#include "cuda/complex.cuh"
#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/finish.cuh"

namespace wale::lu::panels {

/// What a matrix is factored by; of one matrix.
struct rules {
    bool pivots = true;
    std::int32_t* to = nullptr;              // null: not wanted, only without pivoting
    const double* smallest_pivot = nullptr;  // null: pivots stay as they are
    outcome* noted = nullptr;                // may be null
};

/// The magnitude of a candidate as it counts: NaN in the first row wins, elsewhere it loses, as in the
/// reference.
template <class R>
struct candidate {
    R size;
    int row;
    __device__ static candidate of(R size, int row, int first) {
        if (size == size) return {size, row};
        return {row == first ? static_cast<R>(INFINITY) : R(-1), row};
    }
    __device__ void meet(const candidate& other) {
        if (other.size > size || (other.size == size && other.row < row)) *this = other;
    }
};

/// The row of the pivot of column k, the same for all threads of the block. Two barriers must lie between two
/// calls.
template <class T>
__device__ int find_pivot(const strided<T>& a, int rows, int k) {
    using R = real_of<T>;
    __shared__ R sizes[32];
    __shared__ int numbers[32];
    candidate<R> best{R(-2), rows};
    for (int i = k + static_cast<int>(threadIdx.x); i < rows; i += static_cast<int>(blockDim.x))
        best.meet(candidate<R>::of(pivot_size(a(i, k)), i, k));
    for (int d = 16; d > 0; d /= 2)
        best.meet({__shfl_xor_sync(0xffffffffu, best.size, d), __shfl_xor_sync(0xffffffffu, best.row, d)});
    if (threadIdx.x % 32 == 0) {
        sizes[threadIdx.x / 32] = best.size;
        numbers[threadIdx.x / 32] = best.row;
    }
    __syncthreads();
    best = {sizes[0], numbers[0]};
    for (unsigned w = 1; w < blockDim.x / 32; ++w) best.meet({sizes[w], numbers[w]});
    return best.row;
}

/// Factors columns first .. end - 1 of the rows from `first` on; exchanges and updates reach to column
/// `columns`. The block has whole warps.
template <class T>
__device__ void eliminate(const strided<T>& a, int rows, int first, int end, int columns, const rules& by) {
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    for (int k = first; k < end; ++k) {
        const int pivot = by.pivots ? find_pivot(a, rows, k) : k;
        for (int j = first + thread; pivot != k && j < columns; j += threads) {
            const T upper = a(k, j);
            a(k, j) = a(pivot, j);
            a(pivot, j) = upper;
        }
        if (thread == 0 && by.to) by.to[k] = pivot;
        __syncthreads();
        if (by.smallest_pivot) {
            const T found = a(k, k);
            const T moved = perturbed_pivot(found, static_cast<real_of<T>>(*by.smallest_pivot));
            __syncthreads();
            if (thread == 0) {
                if (moved != found && moved == moved) note_perturbed(by.noted, 1);
                a(k, k) = moved;
            }
            __syncthreads();
        }
        const T u = a(k, k);
        for (int i = k + 1 + thread; i < rows; i += threads) a(i, k) = multiplier(a(i, k), u);
        __syncthreads();
        const int below = rows - k - 1, beside = columns - k - 1;
        const bool by_rows = a.column_step == 1;
        for (int e = thread; below > 0 && e < below * beside; e += threads) {
            const int i = k + 1 + (by_rows ? e / beside : e % below);
            const int j = k + 1 + (by_rows ? e % beside : e / below);
            a(i, j) = cuda::less_product(a(i, j), a(i, k), a(k, j));
        }
        __syncthreads();
    }
}

}  // namespace wale::lu::panels
