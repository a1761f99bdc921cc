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

/// Half of the block's warps, one for each scheduler, eliminate: a step is a chain of latencies, and a second
/// warp would stretch it by its instructions. A thread has eight rows and four columns.
inline constexpr int eliminating = threads / 2;
__device__ inline bool eliminates() {
    return threadIdx.x < eliminating;
}
__device__ inline int first_column() {
    return ((threadIdx.x / 32 & 1) * 8 + threadIdx.x % 8) * 4;
}
__device__ inline int first_row() {
    return (threadIdx.x / 64 * 4 + threadIdx.x % 32 / 8) * 8;
}
__device__ inline void meet() {
    asm volatile("bar.sync 1,%0;" ::"n"(eliminating) : "memory");
}

/// `x`: the thread's part. `steps`: pivots, at most 64. UnitUpper: U has the unit diagonal, not L. By the
/// threads that eliminate; needs a barrier of the block before `f` is read. A step costs a barrier and,
/// behind it, the way from the pivot's row and column to the next reciprocal. So every thread computes the
/// reciprocal of what would be the next pivot if it were the owner, beside its other elements.
template <class T, bool UnitUpper>
__device__ void eliminate(T (&x)[8][4], finished_tile<T>& f, int steps, T smallest) {
    const int left = first_column(), top = first_row();
    const bool moves = smallest > T(0);
    const auto publish = [&](int k, int row, int col, T reciprocal) {  // row k % 8, col k % 4
        const bool has_column = left == k - col, has_row = top == k - row;
        if (has_column) {
            const T upper[4] = {x[0][col], x[1][col], x[2][col], x[3][col]};
            const T lower[4] = {x[4][col], x[5][col], x[6][col], x[7][col]};
            four<T>::store(f.columns + k * column + top, upper);
            four<T>::store(f.columns + k * column + top + 4, lower);
        }
        if (has_row) four<T>::store(f.rows + k * column + left, x[row]);
        if (has_column && has_row) {
            f.reciprocal[k] = reciprocal;
            f.columns[k * column + k] = T(1);
            f.rows[k * column + k] = T(1);
            f.pivot[k] = x[row][col];
            if (!is_usual(x[row][col]) || moves) settle_unusual(f, k, smallest);
        }
    };
    if (threadIdx.x == 0) f.perturbed = 0;
    publish(0, 0, 0, reciprocal_of(x[0][0]));
    for (int group = 0; group < steps; group += 8) {
#pragma unroll
        for (int in = 0; in < 8; ++in) {
            const int k = group + in;
            if (k >= steps) break;
            meet();
            T l[2][4], u[4];
            four<T>::load(l[0], f.columns + k * column + top);
            four<T>::load(l[1], f.columns + k * column + top + 4);
            four<T>::load(u, f.rows + k * column + left);
            const T reciprocal = f.reciprocal[k];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (UnitUpper) u[i] *= reciprocal;
                if (!UnitUpper) l[0][i] *= reciprocal, l[1][i] *= reciprocal;
            }
            if (top == group)  // row and column k of A die, those of the inverses are born
#pragma unroll
                for (int j = 0; j < 4; ++j) x[in][j] = T(0);
            if (left == k - in % 4)
#pragma unroll
                for (int i = 0; i < 8; ++i) x[i][in % 4] = T(0);
            const int row = (in + 1) % 8, col = (in + 1) % 4;  // the next pivot's
            x[row][col] = fma(-l[row / 4][row % 4], u[col], x[row][col]);
            const T guess = reciprocal_of(x[row][col]);
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    if (i != row || j != col) x[i][j] = fma(-l[i / 4][i % 4], u[j], x[i][j]);
            if (k + 1 < steps) publish(k + 1, row, col, guess);
        }
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
