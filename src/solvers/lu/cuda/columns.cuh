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

/// A triangle, the lower or the upper one, of a matrix.
template <class T>
struct one_triangle {
    strided<const T> a;
    int n;
    bool lower, unit;
    const T* inverse;  // of the diagonal, 0: divide; null: divide everywhere

    [[nodiscard]] __device__ int column(int at) const { return lower ? at : n - 1 - at; }
    [[nodiscard]] __device__ T quotient(T x, int k) const {
        if (unit) return x;
        return inverse != nullptr && inverse[k] != T(0) ? base::product(x, inverse[k]) : x / a(k, k);
    }
};

/// X <- T^-1 X. A step a column, behind a barrier; the column of the next step is asked for before. The
/// quotients of a row are left in their place at the end: other threads read what was there.
template <class T>
__device__ void substitute(const one_triangle<T>& t, const strided<T>& x, int count) {
    const int thread = static_cast<int>(threadIdx.x);
    const auto own = [&](int at) {  // this thread's element of that column
        const int i = (t.lower ? t.column(at) + 1 : 0) + thread;
        return thread < t.n - 1 - at ? t.a(i, t.column(at)) : T(0);
    };
    T next = own(0);
    for (int at = 0; at < t.n; ++at) {
        const int k = t.column(at), begin = t.lower ? k + 1 : 0;
        const T first = next;
        if (at + 1 < t.n) next = own(at + 1);
        for (int i = thread; i < t.n - 1 - at; i += threads) {
            const T l = i == thread ? first : t.a(begin + i, k);
            for (int c = 0; c < count; ++c)
                x(begin + i, c) = cuda::less_product(x(begin + i, c), l, t.quotient(x(k, c), k));
        }
        __syncthreads();
    }
    for (int e = thread; !t.unit && e < t.n * count; e += threads) {
        T& value = x(e % t.n, e / t.n);
        value = t.quotient(value, e % t.n);
    }
    __syncthreads();
}

extern __shared__ __align__(16) unsigned char columns_memory[];

/// `count` right-hand sides of one matrix, in shared memory or where they lie. inverse: [n], or null.
template <class T>
__device__ void solve_columns(const solve_call<T>& call, const device_matrix<const T>& f, const strided<T>& x,
                              int count, T* inverse) {
    const int n = static_cast<int>(f.rows), thread = static_cast<int>(threadIdx.x);
    const std::int32_t* const pivots = call.pivots ? call.pivots + f.pivot_start : nullptr;
    const strided<const T> a = call.transposed ? f.elements().transposed() : f.elements();
    for (int k = thread; inverse != nullptr && k < n; k += threads)
        inverse[k] = has_reciprocal(a(k, k)) ? base::reciprocal(a(k, k)) : T(0);
    __syncthreads();
    const auto exchange = [&](bool backwards) {
        if (thread < count && pivots)
            for (int at = 0; at < n; ++at) {
                const int k = backwards ? n - 1 - at : at, p = pivots[k];
                const T upper = x(k, thread);
                x(k, thread) = x(p, thread);
                x(p, thread) = upper;
            }
        __syncthreads();
    };
    if (call.conjugated) conjugate(x, n, count);  // conj(A) x = b: A conj(x) = conj(b)
    if (!call.transposed) exchange(false);
    substitute<T>({a, n, true, !call.transposed, inverse}, x, count);  // A^T = U^T L^T P
    substitute<T>({a, n, false, call.transposed, inverse}, x, count);
    if (call.transposed) exchange(true);
    if (call.conjugated) conjugate(x, n, count);
}

/// near: right-hand sides that go through shared memory at once, behind the inverses of the diagonal; 0: they
/// stay where they lie.
template <class T>
__global__ void __launch_bounds__(threads) columns_solve(const solve_call<T> call, int most_rows, int near) {
    const int width = near > 0 ? near : strip, pitch = most_rows | 1;
    T* const inverse = reinterpret_cast<T*>(columns_memory);
    for (index_t i = blockIdx.x; i < call.factors.count; i += gridDim.x) {
        const device_matrix<const T> f = call.factors[i];
        const device_matrix<T> b = call.b[i];
        const int n = static_cast<int>(f.rows);
        for (index_t first = blockIdx.y * index_t{width}; first < b.columns;
             first += gridDim.y * index_t{width}) {
            const int count = static_cast<int>(min(b.columns - first, index_t{width}));
            const strided<T> far = b.elements().from(0, first);
            if (near == 0) {
                solve_columns<T>(call, f, far, count, nullptr);
                continue;
            }
            const strided<T> here{reinterpret_cast<T*>(columns_memory) + most_rows, 1, pitch};
            const auto each = [&](auto&& move) {
                for (int e = static_cast<int>(threadIdx.x); e < n * count; e += threads)
                    far.row_step == 1 ? move(e % n, e / n) : move(e / count, e % count);
                __syncthreads();
            };
            each([&](int r, int c) { here(r, c) = far(r, c); });
            solve_columns<T>(call, f, here, count, inverse);
            each([&](int r, int c) { far(r, c) = here(r, c); });
        }
    }
}

/// `rows`, `right_sides`: of the matrix that has most.
template <class T>
void queue_solve(const cuda::context& c, const solve_call<T>& call, index_t rows, index_t right_sides) {
    if (call.factors.count == 0 || right_sides == 0) return;
    const auto bytes = [&](int sides) { return (rows + sides * (rows | 1)) * index_t{sizeof(T)}; };
    int near = static_cast<int>(std::min<index_t>(strip, right_sides));
    while (near > 0 && bytes(near) > c.facts().shared_per_block) near /= 2;
    const index_t width = near > 0 ? near : strip;
    const dim3 blocks(static_cast<unsigned>(std::min(call.factors.count, most_blocks)),
                      static_cast<unsigned>(std::min((right_sides + width - 1) / width, most_blocks)));
    const auto shared = static_cast<std::size_t>(near > 0 ? bytes(near) : 0);
    cuda::launch_limits::permit(c, columns_solve<T>, shared);
    columns_solve<<<blocks, threads, shared, c.stream()>>>(call, static_cast<int>(rows), near);
    cuda::check_launch();
}

}  // namespace wale::lu::columns
