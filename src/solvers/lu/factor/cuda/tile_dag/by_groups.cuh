// by_groups - the elimination of a tile in f64: sixteen pivots by one warp, the rest of the tile by products
// on the matrix units. Two barriers in sixteen steps instead of one in each.
#pragma once

#include "solvers/lu/factor/cuda/tile_dag/finished_tile.cuh"

namespace wale::lu::tile_dag {

inline constexpr int group = 16;  // pivots that a warp eliminates by itself

__device__ inline int lane() {
    return static_cast<int>(threadIdx.x % 32);
}
__device__ inline int warp() {
    return static_cast<int>(threadIdx.x / 32);
}
__device__ inline double from_lane(double x, int which) {
    return __shfl_sync(0xffffffffu, x, which);
}

/// The block of `count` pivots from step `begin` on, whose columns are in f.columns, by a warp in registers:
/// a lane has four rows and two columns. A step is the way from a pivot's row and column to the next
/// reciprocal; every lane computes that of what would be the next pivot if it were the owner.
template <bool UnitUpper>
__device__ void eliminate_group(finished_tile<double>& f, int begin, int count, double smallest) {
    const int top = lane() / 8 * 4, left = lane() % 8 * 2;
    const bool moves = smallest > 0.0;
    double x[4][2];
#pragma unroll
    for (int j = 0; j < 2; ++j) {
        double v[4];
        four<double>::load(v, f.columns + (begin + left + j) * column<double> + begin + top);
#pragma unroll
        for (int i = 0; i < 4; ++i) x[i][j] = v[i];
    }
    __syncwarp();
    double guess = reciprocal_of(x[0][0]);
#pragma unroll
    for (int k = 0; k < group; ++k) {
        if (k >= count) break;
        const int row = k % 4, col = k % 2, owner = k / 4 * 8 + k / 2, step = begin + k;
        const bool has_column = left == k - col, has_row = top == k - row;
        if (lane() == owner) f.pivot[step] = x[row][col];
        double l[4], u[2];  // on their way while the reciprocal is computed
#pragma unroll
        for (int i = 0; i < 4; ++i) l[i] = from_lane(x[i][col], lane() / 8 * 8 + k / 2);
#pragma unroll
        for (int j = 0; j < 2; ++j) u[j] = from_lane(x[row][j], k / 4 * 8 + lane() % 8);
        if (lane() == owner && (!is_usual(x[row][col]) || moves)) {
            settle_unusual(f, step, smallest);
            guess = f.reciprocal[step];
        }
        const double reciprocal = from_lane(guess, owner);
        if (lane() == owner) f.reciprocal[step] = reciprocal;
        if (has_row) {
            l[row] = 1.0;
            x[row][0] = x[row][1] = 0.0;  // row and column of A die, those of the inverses are born
        }
        if (has_column) {
            u[col] = 1.0;
#pragma unroll
            for (int i = 0; i < 4; ++i) x[i][col] = 0.0;
            four<double>::store(f.columns + step * column<double> + begin + top, l);
        }
        if (has_row)
            f.rows[step * column<double> + begin + left] = u[0],
                                                   f.rows[step * column<double> + begin + left + 1] = u[1];
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
__device__ inline void finish_lines(double* panel, int begin, int line) {
    const int n = lane() / 4, deep = lane() % 4;
    double sum[2][2] = {};
#pragma unroll
    for (int k = 0; k < group; k += 4) {
        const double x = panel[(begin + k + deep) * column<double> + line + n];
#pragma unroll
        for (int i = k / 8; i < 2; ++i) {
            const double t = panel[(begin + 8 * i + n) * column<double> + begin + k + deep];
            multiply_8_8_4(sum[i][0], sum[i][1], k + deep <= 8 * i + n ? t : 0.0, x);
        }
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 2; ++i)
        *reinterpret_cast<double2*>(panel + (begin + 8 * i + n) * column<double> + line + 2 * deep) = {
            sum[i][0], sum[i][1]};
}

/// x += columns * rows / pivots of a group. Within the group's own rows and columns only the triangles of the
/// inverses count, the other halves of which hold L and U.
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
            a[i] = f.columns[k * column<double> + r];
            if (own_rows && r > k) a[i] = 0.0;
            if (!UnitUpper) a[i] *= reciprocal;
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int c = left + 8 * j + n;
            b[j] = f.rows[k * column<double> + c];
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
/// soon as its own part is up to date; it passes a barrier twice in sixteen steps instead of once a step.
template <bool UnitUpper>
__device__ void eliminate(fragment<double>& x, finished_tile<double>& f, int steps, double smallest) {
    if (threadIdx.x == 0) f.perturbed = 0;
    for (int begin = 0; begin < steps; begin += group) {
#pragma unroll
        for (int e = 0; e < 16; ++e) {
            const int r = x.row(e), c = x.column(e);
            const bool is_column = c / group * group == begin, is_row = r / group * group == begin;
            if (is_column) f.columns[c * column<double> + r] = -x.v[e];
            if (is_row && !is_column) f.rows[r * column<double> + c] = -x.v[e];
            if (is_column || is_row) x.v[e] = 0.0;
        }
        if (begin == 0) __syncthreads();  // f.perturbed
        __syncwarp();
        if (warp() == begin / group * 2 + begin / (tile / 2))
            eliminate_group<UnitUpper>(f, begin, min(group, steps - begin), smallest);
        __syncthreads();
        if (warp() / 2 != begin / group) {
            finish_lines(f.columns, begin, warp() * 8);
            finish_lines(f.rows, begin, warp() * 8);
        }
        __syncthreads();
        if (begin + group < steps) update<UnitUpper>(x, f, begin);
    }
}

}  // namespace wale::lu::tile_dag
