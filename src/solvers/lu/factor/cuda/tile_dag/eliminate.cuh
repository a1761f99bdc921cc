// eliminate - LU of one tile with the inverses of both triangles, by a block.
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

inline constexpr int group = 16;  // pivots that a warp eliminates by itself

__device__ inline int lane() {
    return static_cast<int>(threadIdx.x % 32);
}
__device__ inline int warp() {
    return static_cast<int>(threadIdx.x / 32);
}
template <class T>
__device__ T from_lane(T x, int which) {
    return __shfl_sync(0xffffffffu, x, which);
}

/// The block of `count` pivots from step `begin` on, whose columns are in f.columns, by a warp in registers:
/// a lane has four rows and two columns. A step is the way from a pivot's row and column to the next
/// reciprocal; every lane computes that of what would be the next pivot if it were the owner.
template <class T, bool UnitUpper>
__device__ void eliminate_group(finished_tile<T>& f, int begin, int count, T smallest) {
    const int top = lane() / 8 * 4, left = lane() % 8 * 2;
    const bool moves = smallest > T(0);
    T x[4][2];
#pragma unroll
    for (int j = 0; j < 2; ++j) {
        T v[4];
        four<T>::load(v, f.columns + (begin + left + j) * column + begin + top);
#pragma unroll
        for (int i = 0; i < 4; ++i) x[i][j] = v[i];
    }
    __syncwarp();
    T guess = reciprocal_of(x[0][0]);
#pragma unroll
    for (int k = 0; k < group; ++k) {
        if (k >= count) break;
        const int row = k % 4, col = k % 2, owner = k / 4 * 8 + k / 2, step = begin + k;
        const bool has_column = left == k - col, has_row = top == k - row;
        if (lane() == owner) {
            f.pivot[step] = x[row][col];
            f.reciprocal[step] = guess;
            if (!is_usual(x[row][col]) || moves) {
                settle_unusual(f, step, smallest);
                guess = f.reciprocal[step];
            }
        }
        T l[4], u[2];
#pragma unroll
        for (int i = 0; i < 4; ++i) l[i] = from_lane(x[i][col], lane() / 8 * 8 + k / 2);
#pragma unroll
        for (int j = 0; j < 2; ++j) u[j] = from_lane(x[row][j], k / 4 * 8 + lane() % 8);
        const T reciprocal = from_lane(guess, owner);
        if (has_row) {
            l[row] = T(1);
            x[row][0] = x[row][1] = T(0);  // row and column of A die, those of the inverses are born
        }
        if (has_column) {
            u[col] = T(1);
#pragma unroll
            for (int i = 0; i < 4; ++i) x[i][col] = T(0);
            four<T>::store(f.columns + step * column + begin + top, l);
        }
        if (has_row)
            f.rows[step * column + begin + left] = u[0], f.rows[step * column + begin + left + 1] = u[1];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (!UnitUpper) l[i] *= reciprocal;
#pragma unroll
        for (int j = 0; j < 2; ++j)
            if (UnitUpper) u[j] *= reciprocal;
        const int next_row = (k + 1) % 4, next_col = (k + 1) % 2;
        x[next_row][next_col] = fma(-l[next_row], u[next_col], x[next_row][next_col]);
        guess = reciprocal_of(x[next_row][next_col]);
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 2; ++j)
                if (i != next_row || j != next_col) x[i][j] = fma(-l[i], u[j], x[i][j]);
    }
}

/// What the pivots of a group make of its columns and rows elsewhere in the tile: of f.columns, the product
/// with the inverse of the group's U without the pivots, of f.rows that with the inverse of its L. Both lie
/// in `panel` with the triangle's line n at step n: panel[n] = sum over k <= n of triangle(n, k) panel[k].
/// A warp has the eight lines from `line` on.
__device__ inline void finish_lines(float* panel, int begin, int line) {
    const int n = begin + lane() / 8 * 4, me = line + lane() % 8;
    float sum[4] = {};
#pragma unroll
    for (int k = 0; k < group; k += 4) {
        float x[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) x[i] = panel[(begin + k + i) * column + me];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float t[4];
            four<float>::load(t, panel + (n + j) * column + begin + k);
#pragma unroll
            for (int i = 0; i < 4; ++i)
                if (begin + k + i <= n + j) sum[j] = fma(t[i], x[i], sum[j]);
        }
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < 4; ++j) panel[(n + j) * column + me] = sum[j];
}
__device__ inline void finish_lines(double* panel, int begin, int line) {
    const int n = lane() / 4, deep = lane() % 4;
    double sum[2][2] = {};
#pragma unroll
    for (int k = 0; k < group; k += 4) {
        const double x = panel[(begin + k + deep) * column + line + n];
#pragma unroll
        for (int i = k / 8; i < 2; ++i) {
            const double t = panel[(begin + 8 * i + n) * column + begin + k + deep];
            multiply_8_8_4(sum[i][0], sum[i][1], k + deep <= 8 * i + n ? t : 0.0, x);
        }
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 2; ++i)
        *reinterpret_cast<double2*>(panel + (begin + 8 * i + n) * column + line + 2 * deep) = {sum[i][0],
                                                                                               sum[i][1]};
}

/// x += columns * rows / pivots of a group. Within the group's own rows and columns only the triangles of the
/// inverses count, the other halves of which hold L and U.
template <bool UnitUpper>
__device__ void update(fragment<float>& x, const finished_tile<float>& f, int begin) {
    const int top = x.row(0), left = x.column(0);
    const bool own_rows = top / group * group == begin;
#pragma unroll 4
    for (int k = begin; k < begin + group; ++k) {
        float a[4], b[4];
        four<float>::load(a, f.columns + k * column + top);
        const float reciprocal = f.reciprocal[k];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int c = left + 8 * j;
            b[j] = f.rows[k * column + c];
            if (c / group * group == begin && c > k) b[j] = 0.0f;
            if (UnitUpper) b[j] *= reciprocal;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (own_rows && top + i > k) a[i] = 0.0f;
            if (!UnitUpper) a[i] *= reciprocal;
#pragma unroll
            for (int j = 0; j < 4; ++j) x.v[4 * i + j] = fma(a[i], b[j], x.v[4 * i + j]);
        }
    }
}
template <bool UnitUpper>
__device__ void update(fragment<double>& x, const finished_tile<double>& f, int begin) {
    const int top = x.first_row(), left = x.first_column(), n = lane() / 4;
    const bool own_rows = top == begin;
#pragma unroll
    for (int step = 0; step < group; step += 4) {
        const int k = begin + step + lane() % 4;
        const double reciprocal = f.reciprocal[k];
        double a[2], b[4];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int r = top + 8 * i + n;
            a[i] = f.columns[k * column + r];
            if (own_rows && r > k) a[i] = 0.0;
            if (!UnitUpper) a[i] *= reciprocal;
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int c = left + 8 * j + n;
            b[j] = f.rows[k * column + c];
            if (c / group * group == begin && c > k) b[j] = 0.0;
            if (UnitUpper) b[j] *= reciprocal;
        }
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                multiply_8_8_4(x.v[8 * i + 2 * j], x.v[8 * i + 2 * j + 1], a[i], b[j]);
    }
}

/// `x`: the negative of the tile. `steps`: pivots, at most 64. UnitUpper: U has the unit diagonal, not L.
/// By a whole block; needs a barrier before `f` is read.
///
/// Sixteen pivots at a time. The warp that has their block in its part of the tile eliminates it alone, as
/// soon as its own part is up to date; it meets the others twice in sixteen steps instead of once a step.
template <class T, bool UnitUpper>
__device__ void eliminate(fragment<T>& x, finished_tile<T>& f, int steps, T smallest) {
    if (threadIdx.x == 0) f.perturbed = 0;
    for (int begin = 0; begin < steps; begin += group) {
#pragma unroll
        for (int e = 0; e < 16; ++e) {
            const int r = x.row(e), c = x.column(e);
            const bool is_column = c / group * group == begin, is_row = r / group * group == begin;
            if (is_column) f.columns[c * column + r] = -x.v[e];
            if (is_row && !is_column) f.rows[r * column + c] = -x.v[e];
            if (is_column || is_row) x.v[e] = T(0);
        }
        if (begin == 0) __syncthreads();  // f.perturbed
        __syncwarp();
        if (warp() == begin / group * 2 + begin / (tile / 2))
            eliminate_group<T, UnitUpper>(f, begin, min(group, steps - begin), smallest);
        __syncthreads();
        if (warp() / 2 != begin / group) {
            finish_lines(f.columns, begin, warp() * 8);
            finish_lines(f.rows, begin, warp() * 8);
        }
        __syncthreads();
        if (begin + group < steps) update<UnitUpper>(x, f, begin);
    }
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
