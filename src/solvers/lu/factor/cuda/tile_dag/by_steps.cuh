// by_steps - the elimination of a tile in f32 and of complex numbers: a step a pivot, all of the tile at
// once.
//
// In f64 by_groups.cuh is faster; here its products, without matrix units, cost more than the barriers that
// they save: 23,500 cycles a tile instead of 15,000 in f32.
#pragma once

#include "solvers/lu/factor/cuda/tile_dag/finished_tile.cuh"

namespace wale::lu::tile_dag {

/// The part of a tile that a thread eliminates: four columns, and eight rows as long as registers hold them.
/// Then half of the block's warps, one for each scheduler, eliminate: a step is a chain of latencies, and a
/// second warp would stretch it by its instructions.
template <class T>
struct stepped_part {
    static constexpr int rows = sizeof(T) < 16 ? 8 : 4, columns = 4;
    static constexpr int eliminating = tile / rows * (tile / columns);  // threads
    __device__ static int first_column() { return ((threadIdx.x / 32 & 1) * 8 + threadIdx.x % 8) * columns; }
    __device__ static int first_row() { return (threadIdx.x / 64 * 4 + threadIdx.x % 32 / 8) * rows; }
    __device__ static void meet() { asm volatile("bar.sync 1,%0;" ::"n"(eliminating) : "memory"); }
    T x[rows][columns];
};

/// By the threads that eliminate. A step costs a barrier and, behind it, the way from the pivot's row and
/// column to the next reciprocal. So every thread computes the reciprocal of what would be the next pivot if
/// it were the owner, beside its other elements.
template <bool UnitUpper, class T>
__device__ void eliminate_part(stepped_part<T>& part, finished_tile<T>& f, int steps, real_of<T> smallest) {
    using own = stepped_part<T>;
    constexpr int rows = own::rows, columns = own::columns;
    auto& x = part.x;
    const int left = own::first_column(), top = own::first_row();
    const bool moves = smallest > 0;
    const auto publish = [&](int k, int row, int col, T reciprocal) {  // row k % rows, col k % columns
        const bool has_column = left == k - col, has_row = top == k - row;
        if (has_column)
#pragma unroll
            for (int i = 0; i < rows; i += 4) {
                const T four_rows[4] = {x[i][col], x[i + 1][col], x[i + 2][col], x[i + 3][col]};
                four<T>::store(f.columns + k * column<T> + top + i, four_rows);
            }
        if (has_row) four<T>::store(f.rows + k * column<T> + left, x[row]);
        if (has_column && has_row) {
            f.reciprocal[k] = reciprocal;
            f.columns[k * column<T> + k] = T(1);
            f.rows[k * column<T> + k] = T(1);
            f.pivot[k] = x[row][col];
            if (!is_usual(x[row][col]) || moves) settle_unusual(f, k, smallest);
        }
    };
    if (threadIdx.x == 0) f.perturbed = 0;
    publish(0, 0, 0, reciprocal_of(x[0][0]));
    for (int group = 0; group < steps; group += rows) {
#pragma unroll
        for (int in = 0; in < rows; ++in) {
            const int k = group + in;
            if (k >= steps) break;
            own::meet();
            T l[rows / 4][4], u[4];
#pragma unroll
            for (int i = 0; i < rows / 4; ++i) four<T>::load(l[i], f.columns + k * column<T> + top + 4 * i);
            four<T>::load(u, f.rows + k * column<T> + left);
            const T reciprocal = f.reciprocal[k];
#pragma unroll
            for (int i = 0; i < (UnitUpper ? columns : rows); ++i) {
                T& scaled = UnitUpper ? u[i % 4] : l[i / 4][i % 4];
                scaled = base::product(scaled, reciprocal);
            }
            if (top == group)  // row and column k of A die, those of the inverses are born
#pragma unroll
                for (int j = 0; j < columns; ++j) x[in][j] = T(0);
            if (left == k - in % columns)
#pragma unroll
                for (int i = 0; i < rows; ++i) x[i][in % columns] = T(0);
            const int row = (in + 1) % rows, col = (in + 1) % columns;  // the next pivot's
            x[row][col] = cuda::less_product(x[row][col], l[row / 4][row % 4], u[col]);
            const T guess = reciprocal_of(x[row][col]);
#pragma unroll
            for (int i = 0; i < rows; ++i)
#pragma unroll
                for (int j = 0; j < columns; ++j)
                    if (i != row || j != col) x[i][j] = cuda::less_product(x[i][j], l[i / 4][i % 4], u[j]);
            if (k + 1 < steps) publish(k + 1, row, col, guess);
        }
    }
}

/// `sum`: the negative of the tile. `steps`: pivots, at most 64. UnitUpper: U has the unit diagonal, not L.
/// By a whole block; needs a barrier before `f` is read.
template <bool UnitUpper, class T>
__device__ void eliminate(const fragment<T>& sum, finished_tile<T>& f, int steps, real_of<T> smallest) {
    using own = stepped_part<T>;
#pragma unroll
    for (int e = 0; e < 16; ++e) f.columns[sum.column(e) * column<T> + sum.row(e)] = -sum.v[e];
    __syncthreads();
    if (threadIdx.x >= own::eliminating) return;
    own part;
#pragma unroll
    for (int j = 0; j < own::columns; ++j)
#pragma unroll
        for (int i = 0; i < own::rows; ++i)
            part.x[i][j] = f.columns[(own::first_column() + j) * column<T> + own::first_row() + i];
    own::meet();  // before finished columns take the place
    eliminate_part<UnitUpper>(part, f, steps, smallest);
}

}  // namespace wale::lu::tile_dag
