// by_steps - the elimination of a tile in f32: a step a pivot, all of the tile at once.
//
// In f64 by_groups.cuh is faster; here its products, without matrix units, cost more than the barriers that
// they save: 23,500 cycles a tile instead of 15,000.
#pragma once

#include "solvers/lu/factor/cuda/tile_dag/finished_tile.cuh"

namespace wale::lu::tile_dag {

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

/// `x`: the thread's part. By the threads that eliminate. A step costs a barrier and, behind it, the way from
/// the pivot's row and column to the next reciprocal. So every thread computes the reciprocal of what would
/// be the next pivot if it were the owner, beside its other elements.
template <bool UnitUpper>
__device__ void eliminate_part(float (&x)[8][4], finished_tile<float>& f, int steps, float smallest) {
    const int left = first_column(), top = first_row();
    const bool moves = smallest > 0.0f;
    const auto publish = [&](int k, int row, int col, float reciprocal) {  // row k % 8, col k % 4
        const bool has_column = left == k - col, has_row = top == k - row;
        if (has_column) {
            const float upper[4] = {x[0][col], x[1][col], x[2][col], x[3][col]};
            const float lower[4] = {x[4][col], x[5][col], x[6][col], x[7][col]};
            four<float>::store(f.columns + k * column + top, upper);
            four<float>::store(f.columns + k * column + top + 4, lower);
        }
        if (has_row) four<float>::store(f.rows + k * column + left, x[row]);
        if (has_column && has_row) {
            f.reciprocal[k] = reciprocal;
            f.columns[k * column + k] = 1.0f;
            f.rows[k * column + k] = 1.0f;
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
            float l[2][4], u[4];
            four<float>::load(l[0], f.columns + k * column + top);
            four<float>::load(l[1], f.columns + k * column + top + 4);
            four<float>::load(u, f.rows + k * column + left);
            const float reciprocal = f.reciprocal[k];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (UnitUpper) u[i] *= reciprocal;
                if (!UnitUpper) l[0][i] *= reciprocal, l[1][i] *= reciprocal;
            }
            if (top == group)  // row and column k of A die, those of the inverses are born
#pragma unroll
                for (int j = 0; j < 4; ++j) x[in][j] = 0.0f;
            if (left == k - in % 4)
#pragma unroll
                for (int i = 0; i < 8; ++i) x[i][in % 4] = 0.0f;
            const int row = (in + 1) % 8, col = (in + 1) % 4;  // the next pivot's
            x[row][col] = fma(-l[row / 4][row % 4], u[col], x[row][col]);
            const float guess = reciprocal_of(x[row][col]);
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    if (i != row || j != col) x[i][j] = fma(-l[i / 4][i % 4], u[j], x[i][j]);
            if (k + 1 < steps) publish(k + 1, row, col, guess);
        }
    }
}

/// `sum`: the negative of the tile. `steps`: pivots, at most 64. UnitUpper: U has the unit diagonal, not L.
/// By a whole block; needs a barrier before `f` is read.
template <bool UnitUpper>
__device__ void eliminate(const fragment<float>& sum, finished_tile<float>& f, int steps, float smallest) {
#pragma unroll
    for (int e = 0; e < 16; ++e) f.columns[sum.column(e) * column + sum.row(e)] = -sum.v[e];
    __syncthreads();
    if (!eliminates()) return;
    float x[8][4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int i = 0; i < 8; ++i) x[i][j] = f.columns[(first_column() + j) * column + first_row() + i];
    meet();  // before finished columns take the place
    eliminate_part<UnitUpper>(x, f, steps, smallest);
}

}  // namespace wale::lu::tile_dag
