// tiny - inverses of at most 4 rows: a thread a matrix, all of it in registers.
#pragma once

#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/substitute.cuh"

namespace wale::lu::batched {

inline constexpr int tiny_rows = 4;
inline constexpr int tiny_inverse_threads = 128;

/// Passed to kernels by value.
template <class T>
struct tiny_inverses {
    device_batch<T> all;
    const std::int32_t* pivots;
    const std::int32_t* order;  // numbers of the matrices to take; null: all
    index_t count;
};

/// Rows and columns beyond n are those of the unit matrix.
template <class T, int Size>
__device__ void invert_tiny(const strided<T>& own, int n, const std::int32_t* pivots) {
    T a[Size][Size], inverse[Size];
    int source[Size];  // row i of P A is this row of A
#pragma unroll
    for (int i = 0; i < Size; ++i) {
        source[i] = i;
#pragma unroll
        for (int j = 0; j < Size; ++j) a[i][j] = i < n && j < n ? own(i, j) : T(i == j ? 1 : 0);
    }
#pragma unroll
    for (int k = 0; k < Size; ++k) {
        inverse[k] = may_multiply(a[k][k]) ? base::reciprocal(a[k][k]) : T(0);
        const int with = pivots != nullptr && k < n ? pivots[k] : k;
#pragma unroll
        for (int i = k + 1; i < Size; ++i)
            if (i == with) {
                const int kept = source[k];
                source[k] = source[i];
                source[i] = kept;
            }
    }
#pragma unroll
    for (int c = 0; c < Size; ++c) {
        T x[Size];
#pragma unroll
        for (int i = 0; i < Size; ++i) {
            x[i] = T(source[i] == c ? 1 : 0);
#pragma unroll
            for (int k = 0; k < i; ++k) x[i] = cuda::less_product(x[i], a[i][k], x[k]);
        }
#pragma unroll
        for (int i = Size - 1; i >= 0; --i) {
#pragma unroll
            for (int k = i + 1; k < Size; ++k) x[i] = cuda::less_product(x[i], a[i][k], x[k]);
            x[i] = inverse[i] != T(0) ? base::product(x[i], inverse[i]) : x[i] / a[i][i];
        }
#pragma unroll
        for (int i = 0; i < Size; ++i)
            if (i < n && c < n) own(i, c) = x[i];
    }
}

template <class T>
__global__ void __launch_bounds__(tiny_inverse_threads)
    invert_each(const __grid_constant__ tiny_inverses<T> work) {
    const index_t stride = index_t{gridDim.x} * tiny_inverse_threads;
    for (index_t i = index_t{blockIdx.x} * tiny_inverse_threads + threadIdx.x; i < work.count; i += stride) {
        const device_matrix<T> m = work.all[work.order ? work.order[i] : i];
        invert_tiny<T, tiny_rows>(m.elements(), static_cast<int>(m.rows),
                                  work.pivots ? work.pivots + m.pivot_start : nullptr);
    }
}

/// The same of matrices of one size without gaps: a block brings those of its threads to shared memory and
/// back, so that neighbouring threads have neighbours in memory.
template <class T, int Size>
__global__ void __launch_bounds__(tiny_inverse_threads)
    invert_packed(const __grid_constant__ tiny_inverses<T> work) {
    constexpr int area = Size * Size, pitch = area | 1;  // odd: few bank conflicts
    __shared__ T memory[tiny_inverse_threads * pitch];
    const int thread = static_cast<int>(threadIdx.x);
    const index_t stride = index_t{gridDim.x} * tiny_inverse_threads;
    for (index_t first = index_t{blockIdx.x} * tiny_inverse_threads; first < work.count; first += stride) {
        const int count = static_cast<int>(min(index_t{tiny_inverse_threads}, work.count - first));
        T* const there = work.all.first.data + first * area;
#pragma unroll
        for (int k = 0; k < area; ++k) {
            const int e = thread + k * tiny_inverse_threads;
            if (e < count * area) memory[e / area * pitch + e % area] = there[e];
        }
        __syncthreads();
        if (thread < count) {
            const device_matrix<T>& m = work.all.first;
            invert_tiny<T, Size>({memory + thread * pitch, m.row_step, m.column_step}, Size,
                                 work.pivots ? work.pivots + (first + thread) * Size : nullptr);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < area; ++k) {
            const int e = thread + k * tiny_inverse_threads;
            if (e < count * area) there[e] = memory[e / area * pitch + e % area];
        }
        __syncthreads();  // before the next matrices take the memory
    }
}

template <class T>
[[nodiscard]] bool is_packed(const tiny_inverses<T>& work) {
    const device_matrix<T>& m = work.all.first;
    return work.all.list == nullptr && m.row_step * m.column_step == m.rows &&
           work.all.stride == m.rows * m.rows;
}

template <int Size, class T>
void launch_packed(const cuda::context& c, const tiny_inverses<T>& work, unsigned blocks) {
    if constexpr (Size < tiny_rows)
        if (work.all.first.rows > Size) return launch_packed<Size + 1>(c, work, blocks);
    invert_packed<T, Size><<<blocks, tiny_inverse_threads, 0, c.stream()>>>(work);
}

template <class T>
void launch_tiny(const cuda::context& c, const tiny_inverses<T>& work) {
    const index_t blocks = (work.count + tiny_inverse_threads - 1) / tiny_inverse_threads;
    const auto grid = static_cast<unsigned>(std::min<index_t>(blocks, INT_MAX));
    if (is_packed(work))
        launch_packed<1>(c, work, grid);
    else
        invert_each<<<grid, tiny_inverse_threads, 0, c.stream()>>>(work);
    cuda::check_launch();
}

}  // namespace wale::lu::batched
