// finished_tile - what a diagonal tile becomes: its LU and the inverses of both triangles, made by a block
// (by_steps.cuh in f32, by_groups.cuh in f64).
//
// The tile is bordered by the identity, [A I; I 0]: the elimination then leaves inv(L) at the right and
// inv(U) below. Step k ends the life of row k and column k of A and begins that of row k of inv(U)'s part and
// column k of inv(L)'s, so all four share the place of A, as in Gauss-Jordan's exchange, and a step updates
// every element alike: x -= column * row. What is finished stays in shared memory: column k has inv(U) above
// the diagonal and L below it, row k has inv(L) left of it and U right.
#pragma once

#include <wale/layout.hpp>

#include "cuda/complex.cuh"
#include "solvers/lu/factor/cuda/tile_dag/tuning.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu::tile_dag {

/// The magnitude; of a complex number that of the larger part, where NaN does not count.
template <class T>
__device__ real_of<T> larger_part(T x) {
    if constexpr (is_complex_type<T>)
        return fmax(fabs(x.real()), fabs(x.imag()));
    else
        return fabs(x);
}

template <class T>
__device__ bool is_finite(T x) {
    if constexpr (is_complex_type<T>)
        return isfinite(x.real()) && isfinite(x.imag());
    else
        return isfinite(x);
}
/// By way of the L2 cache, where what other blocks wrote is seen.
template <class T>
__device__ T load_cached(const T* from) {
    if constexpr (sizeof(T) == 16) {
        const double2 v = __ldcg(reinterpret_cast<const double2*>(from));
        return T(v.x, v.y);
    } else if constexpr (is_complex_type<T>) {
        const float2 v = __ldcg(reinterpret_cast<const float2*>(from));
        return T(v.x, v.y);
    } else {
        return __ldcg(from);
    }
}

// The product of tiles in shared memory, 64 x 64 over the threads of a block: in f64 by the matrix units
// (mma m8n8k4), in f32 by fma. The order of the sum is that of k, whatever the thread.

// Elements from a column to the next in shared memory. 4 mod 16 words of f64 and odd words of 16 bytes: the
// lanes of a fragment fall into different banks.
inline constexpr int depth = tile / 2;  // of a step of the sum
template <class T>
inline constexpr int pad = is_complex_type<T> ? 16 / static_cast<int>(sizeof(T)) : 4;
template <class T>
inline constexpr int column = tile + pad<T>;  // of a whole tile, and of the left factor
template <class T>
inline constexpr int short_column = depth + pad<T>;  // of the right factor of a step

/// Four numbers side by side, of which the first lies at a multiple of 16 bytes.
template <class T>
struct four;
template <>
struct four<float> {
    __device__ static void load(float (&to)[4], const float* from) {
        const float4 v = *reinterpret_cast<const float4*>(from);
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    }
    __device__ static void store(float* to, const float (&v)[4]) {
        *reinterpret_cast<float4*>(to) = {v[0], v[1], v[2], v[3]};
    }
};
template <>
struct four<double> {
    __device__ static void load(double (&to)[4], const double* from) {
        const auto* v = reinterpret_cast<const double2*>(from);
        const double2 low = v[0], high = v[1];
        to[0] = low.x, to[1] = low.y, to[2] = high.x, to[3] = high.y;
    }
    __device__ static void store(double* to, const double (&v)[4]) {
        reinterpret_cast<double2*>(to)[0] = {v[0], v[1]};
        reinterpret_cast<double2*>(to)[1] = {v[2], v[3]};
    }
};
template <class R>
struct four<thrust::complex<R>> {
    using T = thrust::complex<R>;
    static constexpr int per_word = 16 / static_cast<int>(sizeof(T));
    struct alignas(16) word {
        R parts[16 / sizeof(R)];
    };
    __device__ static void load(T (&to)[4], const T* from) {
#pragma unroll
        for (int i = 0; i < 4; i += per_word) {
            const word w = *reinterpret_cast<const word*>(from + i);
#pragma unroll
            for (int e = 0; e < per_word; ++e) to[i + e] = T(w.parts[2 * e], w.parts[2 * e + 1]);
        }
    }
    __device__ static void store(T* to, const T (&v)[4]) {
#pragma unroll
        for (int i = 0; i < 4; i += per_word) {
            word w;
#pragma unroll
            for (int e = 0; e < per_word; ++e) {
                w.parts[2 * e] = v[i + e].real();
                w.parts[2 * e + 1] = v[i + e].imag();
            }
            *reinterpret_cast<word*>(to + i) = w;
        }
    }
};

/// A 64 x 64 tile in registers, 16 elements a thread.
/// 8 x 4 threads of a warp, 2 x 4 warps; four neighbouring rows and every sixteenth column.
struct fragment_of_lanes {
    __device__ static int column_lane() { return (threadIdx.x / 32 & 1) * 8 + threadIdx.x % 8; }
    __device__ static int row_lane() { return threadIdx.x / 64 * 4 + threadIdx.x % 32 / 8; }
    __device__ static int row(int e) { return 4 * row_lane() + e / 4; }
    __device__ static int column(int e) { return column_lane() + 16 * (e % 4); }
};

/// Of complex numbers.
template <class T>
struct fragment : fragment_of_lanes {
    T v[16] = {};

    __device__ void add_product(const T* x, const T* y, int y_column, int size) {
        const T* mine_x = x + 4 * row_lane();
        const T* mine_y = y + column_lane() * y_column;
#pragma unroll 2
        for (int k = 0; k < size; ++k) {
            T a[4], b[4];
            four<T>::load(a, mine_x + k * tile_dag::column<T>);
#pragma unroll
            for (int c = 0; c < 4; ++c) b[c] = mine_y[16 * c * y_column + k];
#pragma unroll
            for (int r = 0; r < 4; ++r)
#pragma unroll
                for (int c = 0; c < 4; ++c) v[4 * r + c] = cuda::less_product(v[4 * r + c], -a[r], b[c]);
        }
    }
};

template <>
struct fragment<float> : fragment_of_lanes {
    float v[16] = {};

    /// v += x y: x by columns of tile_dag::column<float>, y by columns of `y_column`; `k` of them.
    __device__ void add_product(const float* x, const float* y, int y_column, int size) {
        const float* mine_x = x + 4 * row_lane();
        const float* mine_y = y + column_lane() * y_column;
        for (int k = 0; k < size; k += 4) {
            float4 b[4];
#pragma unroll
            for (int c = 0; c < 4; ++c)
                b[c] = *reinterpret_cast<const float4*>(mine_y + 16 * c * y_column + k);
            step<0>(mine_x, k, b);
            step<1>(mine_x, k, b);
            step<2>(mine_x, k, b);
            step<3>(mine_x, k, b);
        }
    }

private:
    template <int Part>
    __device__ static float part(const float4& f) {
        return Part == 0 ? f.x : Part == 1 ? f.y : Part == 2 ? f.z : f.w;
    }
    template <int Part>
    __device__ void step(const float* x, int k, const float4 (&b)[4]) {
        const float4 a = *reinterpret_cast<const float4*>(x + (k + Part) * tile_dag::column<float>);
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            v[c] = fma(a.x, part<Part>(b[c]), v[c]);
            v[4 + c] = fma(a.y, part<Part>(b[c]), v[4 + c]);
            v[8 + c] = fma(a.z, part<Part>(b[c]), v[8 + c]);
            v[12 + c] = fma(a.w, part<Part>(b[c]), v[12 + c]);
        }
    }
};

/// c += a b, 8 x 8 x 4 by a warp: lane l has a(l / 4, l % 4), b(l % 4, l / 4), c(l / 4, 2 (l % 4) + 0..1).
__device__ inline void multiply_8_8_4(double& c0, double& c1, double a, double b) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
        : "+d"(c0), "+d"(c1)
        : "d"(a), "d"(b));
#else
    const int lane = static_cast<int>(threadIdx.x % 32);
    for (int k = 0; k < 4; ++k) {
        const double left = __shfl_sync(0xffffffffu, a, lane / 4 * 4 + k);
        c0 = fma(left, __shfl_sync(0xffffffffu, b, lane % 4 * 8 + k), c0);
        c1 = fma(left, __shfl_sync(0xffffffffu, b, lane % 4 * 8 + 4 + k), c1);
    }
#endif
}

template <>
struct fragment<double> {
    double v[16] = {};

    /// A warp has 16 rows and 32 columns: 2 x 4 products of 8 x 8.
    __device__ static int lane() { return static_cast<int>(threadIdx.x % 32); }
    __device__ static int first_row() { return static_cast<int>(threadIdx.x / 64) * 16; }
    __device__ static int first_column() { return static_cast<int>(threadIdx.x / 32 & 1) * 32; }
    __device__ static int row(int e) { return first_row() + e / 8 * 8 + lane() / 4; }
    __device__ static int column(int e) { return first_column() + e / 2 % 4 * 8 + lane() % 4 * 2 + e % 2; }

    __device__ void add_product(const double* x, const double* y, int y_column, int size) {
        const double* mine_x = x + lane() % 4 * tile_dag::column<double> + first_row() + lane() / 4;
        const double* mine_y = y + (first_column() + lane() / 4) * y_column + lane() % 4;
#pragma unroll 4
        for (int k = 0; k < size; k += 4) {
            double a[2], b[4];
#pragma unroll
            for (int i = 0; i < 2; ++i) a[i] = mine_x[k * tile_dag::column<double> + 8 * i];
#pragma unroll
            for (int j = 0; j < 4; ++j) b[j] = mine_y[8 * j * y_column + k];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    multiply_8_8_4(v[8 * i + 2 * j], v[8 * i + 2 * j + 1], a[i], b[j]);
        }
    }
};

/// Columns from memory to shared memory, behind the arithmetic where the device can; what lies outside
/// `rows` x `columns` becomes 0. `aligned`: every column begins at a multiple of 16 bytes.
template <int Bytes>
__device__ inline void copy_later(void* to, const void* from, int bytes) {
#if __CUDA_ARCH__ >= 800
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (Bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0],[%1],16,%2;" ::"r"(shared), "l"(from), "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0],[%1],%2,%3;" ::"r"(shared), "l"(from), "n"(Bytes),
                     "r"(bytes)
                     : "memory");
#else
    for (int i = 0; i < Bytes / 4; ++i)
        static_cast<unsigned*>(to)[i] = 4 * i < bytes ? __ldcg(static_cast<const unsigned*>(from) + i) : 0u;
#endif
}
__device__ inline void close_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Until at most `Open` groups are still under way.
template <int Open>
__device__ inline void wait_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Open) : "memory");
#endif
}

template <class T>
struct part_of_matrix {
    const T* data;
    index_t leading;
    index_t rows, columns;  // that are there
    bool aligned;
};

template <int Rows, int Columns, int Column, class T>
__device__ void load_later(T* to, const part_of_matrix<T>& from) {
    constexpr int wide = 16 / static_cast<int>(sizeof(T));
    const int me = static_cast<int>(threadIdx.x);
    if (from.aligned && from.rows >= Rows && from.columns >= Columns) {
#pragma unroll
        for (int i = me; i < Rows / wide * Columns; i += threads) {
            const int r = i % (Rows / wide) * wide, c = i / (Rows / wide);
            copy_later<16>(to + c * Column + r, from.data + r + c * from.leading, 16);
        }
        return;
    }
    for (int i = me; i < Rows * Columns; i += threads) {
        const int r = i % Rows, c = i / Rows;
        const bool there = r < from.rows && c < from.columns;
        copy_later<sizeof(T)>(to + c * Column + r, from.data + (there ? r + c * from.leading : 0),
                              there ? static_cast<int>(sizeof(T)) : 0);
    }
}

/// In shared memory. Columns, or with UnitUpper rows, are as they were before the division by the pivot; both
/// have 1 on the diagonal.
template <class T>
struct alignas(16) finished_tile {
    T columns[tile * column<T>];  // [step][row]
    T rows[tile * column<T>];     // [step][column]
    T pivot[tile], reciprocal[tile];
    int perturbed;
};

/// 1 / x to within a unit in the last place for x that is neither subnormal nor near overflow, the same for
/// 2^k x but for the exponent.
__device__ inline float reciprocal_of(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(y) : "f"(x));
    return fma(y, fma(-x, y, 1.0f), y);
}
__device__ inline double reciprocal_of(double x) {
    double y;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y, 1.0);  // 2^-20 or less
    return fma(y, fma(e, e, e), y);
}

template <class R>
__device__ inline thrust::complex<R> reciprocal_of(thrust::complex<R> x) {
    const R over = reciprocal_of(fma(x.real(), x.real(), x.imag() * x.imag()));
    return {x.real() * over, -x.imag() * over};
}

/// Whether reciprocal_of() may have x: it is at least 2^-e and at most 2^e.
__device__ inline bool is_usual(float x) {
    return (__float_as_uint(x) << 1) - (2u << 24) <= 250u << 24;
}
__device__ inline bool is_usual(double x) {
    return (static_cast<unsigned>(__double2hiint(x)) << 1) - (2u << 21) <= 2042u << 21;
}

/// Of the square of a complex number.
template <class R>
__device__ inline bool is_usual(thrust::complex<R> x) {
    constexpr R most = sizeof(R) == 4 ? R(0x1p60) : R(0x1p500);
    const R size = larger_part(x);
    return size >= 1 / most && size <= most;
}

/// A pivot that reciprocal_of() may not have, or that is to be moved. A zero pivot divides by 1: its column
/// stays, as problem.hpp's multiplier() has it.
template <class T>
__device__ __noinline__ void settle_unusual(finished_tile<T>& f, int k, real_of<T> smallest) {
    const T found = f.pivot[k], pivot = perturbed_pivot(found, smallest);
    f.perturbed += pivot != found && pivot == pivot;
    f.pivot[k] = pivot;
    f.reciprocal[k] = pivot == T(0) ? T(1) : T(1) / pivot;
}

/// The first zero pivot, 64: none; and whether all are finite. By the first warp.
template <class T>
__device__ int first_zero_of(const finished_tile<T>& f, int steps, bool& finite) {
    int first = tile;
    finite = true;
    for (int half = 1; half >= 0; --half) {
        const int k = static_cast<int>(threadIdx.x) + 32 * half;
        const T pivot = k < steps ? f.pivot[k] : T(1);
        const unsigned zeros = __ballot_sync(0xffffffffu, pivot == T(0));
        if (zeros) first = 32 * half + __ffs(static_cast<int>(zeros)) - 1;
        if (!__all_sync(0xffffffffu, is_finite(pivot))) finite = false;
    }
    return first;
}

}  // namespace wale::lu::tile_dag
