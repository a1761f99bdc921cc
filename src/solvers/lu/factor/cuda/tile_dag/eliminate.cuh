// eliminate - LU of one tile with the inverses of both triangles, by a block.
//
// The tile is bordered by the identity, [A I; I 0]: the elimination then leaves inv(L) at the right and
// inv(U) below. Step k ends the life of row k and column k of A and begins that of row k of inv(U)'s part and
// column k of inv(L)'s, so all four share the place of A, as in Gauss-Jordan's exchange, and a step updates
// every element alike: x -= column * row. What is finished stays in shared memory, where a step must put its
// pivot row and column anyway: column k has inv(U) above the diagonal and L below it, row k has inv(L) left
// of it and U right.
#pragma once

#include "solvers/lu/factor/cuda/tile_dag/product.cuh"
#include "solvers/lu/problem.hpp"

namespace wale::lu::tile_dag {

/// In shared memory. Columns and rows are as they were before the division by the pivot, x / pivot being
/// x * reciprocal * scale.
template <class T>
struct alignas(16) finished_tile {
    T columns[tile * column];  // [step][row]
    T rows[tile * column];     // [step][column]
    T pivot[tile], reciprocal[tile], scale[tile];
    [[nodiscard]] __device__ T divided(T x, int k) const { return x * reciprocal[k] * scale[k]; }
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

/// A pivot out of the common range. A zero pivot divides by 1: its column stays, as problem.hpp's
/// multiplier() has it. Where a pivot or its reciprocal would be subnormal both sides of a quotient are
/// scaled; what the scale overflows or loses, the quotient would too.
template <class T>
__device__ __noinline__ void settle_unusual(finished_tile<T>& f, int k, T found, T smallest) {
    constexpr T up = sizeof(T) == 4 ? T(0x1p26) : T(0x1p56);
    const T pivot = perturbed_pivot(found, smallest);
    const T scale = is_usual(pivot) ? T(1) : fabs(pivot) < T(1) ? up : 1 / up;
    f.pivot[k] = pivot;
    f.scale[k] = scale;
    f.reciprocal[k] = pivot == T(0) ? 1 / scale : reciprocal_of(pivot * scale);
}

template <class T>
struct four;
template <>
struct four<float> {
    __device__ static void load(float (&to)[4], const float* from) {
        const float4 v = *reinterpret_cast<const float4*>(from);
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    }
    __device__ static void store(float* to, float a, float b, float c, float d) {
        *reinterpret_cast<float4*>(to) = {a, b, c, d};
    }
};
template <>
struct four<double> {
    __device__ static void load(double (&to)[4], const double* from) {
        const auto* v = reinterpret_cast<const double2*>(from);
        const double2 low = v[0], high = v[1];
        to[0] = low.x, to[1] = low.y, to[2] = high.x, to[3] = high.y;
    }
    __device__ static void store(double* to, double a, double b, double c, double d) {
        reinterpret_cast<double2*>(to)[0] = {a, b};
        reinterpret_cast<double2*>(to)[1] = {c, d};
    }
};

/// `x`: the thread's rows 4 ty .. 4 ty + 3 and columns 4 tx .. 4 tx + 3. `steps`: pivots, at most 64.
/// UnitUpper: U has the unit diagonal, not L. Needs a barrier before `f` is read.
/// A step costs a barrier and, behind it, the way from the pivot's row and column to the next reciprocal. So
/// every thread computes the reciprocal of what would be the next pivot if it were the owner, beside its
/// other elements.
template <class T, bool UnitUpper>
__device__ void eliminate(T (&x)[4][4], finished_tile<T>& f, int steps, T smallest) {
    const int tx = fragment<float>::column_lane(), ty = fragment<float>::row_lane();
    const auto publish = [&](int k, int in, int owner, T reciprocal) {
        if (tx == owner)
            four<T>::store(f.columns + k * column + 4 * ty, x[0][in], x[1][in], x[2][in], x[3][in]);
        if (ty == owner) four<T>::store(f.rows + k * column + 4 * tx, x[in][0], x[in][1], x[in][2], x[in][3]);
        if (tx == owner && ty == owner) {
            f.pivot[k] = x[in][in];
            f.reciprocal[k] = reciprocal;
            if (!is_usual(x[in][in]) || fabs(x[in][in]) < smallest) settle_unusual(f, k, x[in][in], smallest);
        }
    };
    if (threadIdx.x < tile) f.scale[threadIdx.x] = T(1);
    __syncthreads();
    publish(0, 0, 0, reciprocal_of(x[0][0]));
    for (int group = 0; 4 * group < steps; ++group) {
#pragma unroll
        for (int in = 0; in < 4; ++in) {
            const int k = 4 * group + in;
            if (k >= steps) break;
            __syncthreads();
            T l[4], u[4];
            four<T>::load(l, f.columns + k * column + 4 * ty);
            four<T>::load(u, f.rows + k * column + 4 * tx);
            const T reciprocal = f.reciprocal[k], scale = f.scale[k];
            T(&divided)[4] = UnitUpper ? u : l;
#pragma unroll
            for (T& d : divided) d *= reciprocal;
            T inverse = reciprocal;
            if (scale != T(1)) {
#pragma unroll
                for (T& d : divided) d *= scale;
                inverse *= scale;
            }
            if (ty == group) {  // row k dies; inv(U)'s is born
                l[in] = UnitUpper ? T(1) : inverse;
#pragma unroll
                for (int j = 0; j < 4; ++j) x[in][j] = T(0);
            }
            if (tx == group) {
                u[in] = UnitUpper ? inverse : T(1);
#pragma unroll
                for (int i = 0; i < 4; ++i) x[i][in] = T(0);
            }
            constexpr int last = 3;
            const int next = (in + 1) % 4;
            x[next][next] = fma(-l[next], u[next], x[next][next]);
            const T guess = reciprocal_of(x[next][next]);
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    if (i != next || j != next) x[i][j] = fma(-l[i], u[j], x[i][j]);
            if (k + 1 < steps) publish(k + 1, next, group + (in == last), guess);
        }
    }
}

/// What the steps of a tile found.
struct tile_facts {
    int first_zero;  // 64: none
    bool finite;
    int perturbed;
};
/// By the first warp.
template <class T>
__device__ tile_facts facts_of(const finished_tile<T>& f, int steps) {
    tile_facts all{tile, true, 0};
    for (int half = 1; half >= 0; --half) {
        const int k = static_cast<int>(threadIdx.x) + 32 * half;
        const T pivot = k < steps ? f.pivot[k] : T(1);
        const T found = k < steps ? f.columns[k * column + k] : T(1);
        const unsigned zeros = __ballot_sync(0xffffffffu, pivot == T(0));
        if (zeros) all.first_zero = 32 * half + __ffs(static_cast<int>(zeros)) - 1;
        if (!__all_sync(0xffffffffu, isfinite(pivot))) all.finite = false;
        all.perturbed += __popc(__ballot_sync(0xffffffffu, pivot != found && pivot == pivot));
    }
    return all;
}

}  // namespace wale::lu::tile_dag
