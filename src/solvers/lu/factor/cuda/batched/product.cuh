// product - C -= X Y for a block: C where it lies, X and Y in shared memory. A warp takes tiles of 32 x 32, a
// lane 4 x 8 elements of each.
#pragma once

#include <wale/layout.hpp>

#include "base/host_device.hpp"

namespace wale::lu::batched {

/// C(i, j) = c[i + j * c_step], X(i, k) = x[i + k * x_step], Y(k, j) = y[j * y_column + k * y_step]. Of i and
/// j, i is the one whose neighbours are neighbours in memory, row or column. X is read, not used, up to 31
/// elements beyond `rows`.
template <class T>
struct product {
    T* c;
    index_t c_step;
    const T* x;
    int x_step;
    const T* y;
    int y_column, y_step;
    int rows, columns, depth;
};

inline constexpr int tile = 32;  // rows and columns of a warp's tile: 8 lanes x 4 and 4 lanes x 8
inline constexpr int tile_rows = 4;
inline constexpr int tile_columns = 8;

/// Lanes: 8 along i, each with every 8th; 4 along j, each with 8 neighbours: with an odd step of C in shared
/// memory no two lanes meet in a bank.
template <class T>
__device__ void multiply_tile(const product<T>& p, int row, int column) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int i0 = row + lane % 8;
    const int j0 = column + lane / 8 * tile_columns;
    T* const c = p.c + i0 + j0 * p.c_step;
    T sum[tile_rows][tile_columns];
#pragma unroll
    for (int j = 0; j < tile_columns; ++j)
#pragma unroll
        for (int i = 0; i < tile_rows; ++i)
            sum[i][j] = i0 + 8 * i < p.rows && j0 + j < p.columns ? c[8 * i + j * p.c_step] : T(0);
    const T* x = p.x + i0;
    const T* y[tile_columns];
#pragma unroll
    for (int j = 0; j < tile_columns; ++j) y[j] = p.y + min(j0 + j, p.columns - 1) * p.y_column;
#pragma unroll 4
    for (int k = 0; k < p.depth; ++k, x += p.x_step) {
        T left[tile_rows], right[tile_columns];
#pragma unroll
        for (int i = 0; i < tile_rows; ++i) left[i] = x[8 * i];
#pragma unroll
        for (int j = 0; j < tile_columns; ++j) right[j] = y[j][k * p.y_step];
#pragma unroll
        for (int j = 0; j < tile_columns; ++j)
#pragma unroll
            for (int i = 0; i < tile_rows; ++i) sum[i][j] = fma(-left[i], right[j], sum[i][j]);
    }
#pragma unroll
    for (int j = 0; j < tile_columns; ++j)
#pragma unroll
        for (int i = 0; i < tile_rows; ++i)
            if (i0 + 8 * i < p.rows && j0 + j < p.columns) c[8 * i + j * p.c_step] = sum[i][j];
}

/// All tiles, by the warps of the block in turn.
template <class T>
__device__ void multiply(const product<T>& p) {
    if (p.rows <= 0 || p.columns <= 0) return;
    const int warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32;
    const int down = (p.rows + tile - 1) / tile, across = (p.columns + tile - 1) / tile;
    for (int t = warp; t < down * across; t += warps) multiply_tile(p, t % down * tile, t / down * tile);
}

}  // namespace wale::lu::batched
