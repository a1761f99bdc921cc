// columns - triangles of factors with right-hand sides, column after column, by one block a strip of
// right-hand sides: what the rows `cuda/columns` of solve and inverse share. For complex numbers; real ones
// have faster rows.
#pragma once

#include "cuda/complex.cuh"
#include "solvers/lu/cuda/batch.cuh"

namespace wale::lu::columns {

inline constexpr int threads = 256;
inline constexpr int strip = 8;  // right-hand sides of a block
inline constexpr index_t most_blocks = 65535;

template <class T>
struct solve_call {
    device_batch<const T> factors;
    device_batch<T> b;
    const std::int32_t* pivots = nullptr;
    bool transposed = false, conjugated = false;
};

/// X <- conj(X), where the numbers are complex.
template <class T>
__device__ void conjugate(const strided<T>& x, int n, int count) {
    if constexpr (is_complex_type<T>)
        for (int e = static_cast<int>(threadIdx.x); e < n * count; e += threads)
            x(e % n, e / n) = T(x(e % n, e / n).real(), -x(e % n, e / n).imag());
    __syncthreads();
}

/// X <- T^-1 X, T the lower or the upper triangle of `a`.
template <class T>
__device__ void substitute(const strided<const T>& a, int n, bool lower, bool unit, const strided<T>& x,
                           int count) {
    const int thread = static_cast<int>(threadIdx.x);
    for (int at = 0; at < n; ++at) {
        const int k = lower ? at : n - 1 - at;
        if (!unit) {
            if (thread < count) x(k, thread) = x(k, thread) / a(k, k);
            __syncthreads();
        }
        const int begin = lower ? k + 1 : 0, rest = lower ? n - k - 1 : k;
        for (int i = thread; i < rest; i += threads) {
            const T l = a(begin + i, k);
            for (int c = 0; c < count; ++c) x(begin + i, c) = cuda::less_product(x(begin + i, c), l, x(k, c));
        }
        __syncthreads();
    }
}

template <class T>
__global__ void __launch_bounds__(threads) columns_solve(const solve_call<T> call) {
    for (index_t i = blockIdx.x; i < call.factors.count; i += gridDim.x) {
        const device_matrix<const T> f = call.factors[i];
        const device_matrix<T> b = call.b[i];
        const int n = static_cast<int>(f.rows);
        const std::int32_t* const pivots = call.pivots ? call.pivots + f.pivot_start : nullptr;
        for (index_t first = blockIdx.y * index_t{strip}; first < b.columns;
             first += gridDim.y * index_t{strip}) {
            const int count = static_cast<int>(min(b.columns - first, index_t{strip}));
            const strided<T> x = b.elements().from(0, first);
            const auto exchange = [&](bool backwards) {
                if (static_cast<int>(threadIdx.x) < count && pivots)
                    for (int at = 0; at < n; ++at) {
                        const int k = backwards ? n - 1 - at : at, p = pivots[k];
                        const T upper = x(k, threadIdx.x);
                        x(k, threadIdx.x) = x(p, threadIdx.x);
                        x(p, threadIdx.x) = upper;
                    }
                __syncthreads();
            };
            if (call.conjugated) conjugate(x, n, count);  // conj(A) x = b: A conj(x) = conj(b)
            if (call.transposed) {                        // A^T = U^T L^T P
                substitute(f.elements().transposed(), n, true, false, x, count);
                substitute(f.elements().transposed(), n, false, true, x, count);
                exchange(true);
            } else {
                exchange(false);
                substitute(f.elements(), n, true, true, x, count);
                substitute(f.elements(), n, false, false, x, count);
            }
            if (call.conjugated) conjugate(x, n, count);
        }
    }
}

/// `right_sides`: of the matrix that has most.
template <class T>
void queue_solve(const cuda::context& c, const solve_call<T>& call, index_t right_sides) {
    if (call.factors.count == 0 || right_sides == 0) return;
    const dim3 blocks(static_cast<unsigned>(std::min(call.factors.count, most_blocks)),
                      static_cast<unsigned>(std::min((right_sides + strip - 1) / strip, most_blocks)));
    columns_solve<<<blocks, threads, 0, c.stream()>>>(call);
    cuda::check_launch();
}

}  // namespace wale::lu::columns
