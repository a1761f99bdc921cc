// finished_tile - what a diagonal tile becomes: its LU and the inverses of both triangles, made by a block
// (by_steps.cuh in f32, by_groups.cuh in f64).
//
// The tile is bordered by the identity, [A I; I 0]: the elimination then leaves inv(L) at the right and
// inv(U) below. Step k ends the life of row k and column k of A and begins that of row k of inv(U)'s part and
// column k of inv(L)'s, so all four share the place of A, as in Gauss-Jordan's exchange, and a step updates
// every element alike: x -= column * row. What is finished stays in shared memory: column k has inv(U) above
// the diagonal and L below it, row k has inv(L) left of it and U right.
#pragma once

#include "solvers/lu/factor/cuda/tile_dag/product.cuh"
#include "solvers/lu/problem.hpp"

namespace wale::lu::tile_dag {

/// In shared memory. Columns, or with UnitUpper rows, are as they were before the division by the pivot; both
/// have 1 on the diagonal.
template <class T>
struct alignas(16) finished_tile {
    T columns[tile * column];  // [step][row]
    T rows[tile * column];     // [step][column]
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

/// Whether reciprocal_of() may have x: it is at least 2^-e and at most 2^e.
__device__ inline bool is_usual(float x) {
    return (__float_as_uint(x) << 1) - (2u << 24) <= 250u << 24;
}
__device__ inline bool is_usual(double x) {
    return (static_cast<unsigned>(__double2hiint(x)) << 1) - (2u << 21) <= 2042u << 21;
}

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

/// A pivot that reciprocal_of() may not have, or that is to be moved. A zero pivot divides by 1: its column
/// stays, as problem.hpp's multiplier() has it.
template <class T>
__device__ __noinline__ void settle_unusual(finished_tile<T>& f, int k, T smallest) {
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
        if (!__all_sync(0xffffffffu, isfinite(pivot))) finite = false;
    }
    return first;
}

}  // namespace wale::lu::tile_dag
