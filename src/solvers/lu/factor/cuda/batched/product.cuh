// product - C -= X Y for a block: C where it lies, X and Y in shared memory. A warp takes tiles of 32 x 32, a
// lane 4 x 8 elements of each.
#pragma once

#include <type_traits>
#include <wale/layout.hpp>

#include "base/host_device.hpp"

namespace wale::lu::batched {

/// C(i, j) = c[i + j * c_step], X(i, k) = x[i + k * x_step]; Y(k, j) = y[k + j * y_step] where Y lies Along
/// the depth, else y[j + k * y_step]. Of i and j, i is the one whose neighbours are neighbours in memory, row
/// or column. Y across the depth is read, not used, up to 31 elements beyond the matrix.
template <class T>
struct product {
    T* c;
    index_t c_step;
    const T* x;
    int x_step;
    const T* y;
    int y_step;
    int rows, columns, depth;
};

inline constexpr int tile = 32;  // rows and columns of a warp's tile: 8 lanes x 4 and 4 lanes x 8
inline constexpr int tile_rows = 4;
inline constexpr int tile_columns = 8;

/// Lanes: 8 along i, each with every 8th; 4 along j, each with 8 neighbours: with an odd step of C in shared
/// memory no two lanes use the same bank. Inside: the whole tile lies in C.
template <bool Inside, bool Along, class T>
__device__ void multiply_tile(const product<T>& p, int row, int column) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int i0 = row + lane % 8;
    const int j0 = column + lane / 8 * tile_columns;
    const int rows = p.rows - i0, columns = p.columns - j0;
    // In shared memory 32 bits do.
    const auto c_step = static_cast<std::conditional_t<Along, int, index_t>>(p.c_step);
    T* const c = p.c + i0 + j0 * c_step;
    T sum[tile_rows][tile_columns];
#pragma unroll
    for (int j = 0; j < tile_columns; ++j)
#pragma unroll
        for (int i = 0; i < tile_rows; ++i)
            sum[i][j] = Inside || (8 * i < rows && j < columns) ? c[8 * i + j * c_step] : T(0);
    const T* x = p.x + i0;
    const T* y[tile_columns];
#pragma unroll
    for (int j = 0; j < tile_columns; ++j)
        y[j] = p.y + (Along ? (Inside ? j0 + j : min(j0 + j, p.columns - 1)) * p.y_step : j0 + j);
#pragma unroll 4
    for (int k = 0; k < p.depth; ++k, x += p.x_step) {
        T left[tile_rows], right[tile_columns];
#pragma unroll
        for (int i = 0; i < tile_rows; ++i) left[i] = x[Inside ? 8 * i : min(8 * i, rows - 1)];
#pragma unroll
        for (int j = 0; j < tile_columns; ++j) {
            right[j] = Along ? y[j][k] : y[0][j];
            if (!Along && j + 1 == tile_columns) y[0] += p.y_step;
        }
#pragma unroll
        for (int j = 0; j < tile_columns; ++j)
#pragma unroll
            for (int i = 0; i < tile_rows; ++i) sum[i][j] = fma(-left[i], right[j], sum[i][j]);
    }
#pragma unroll
    for (int j = 0; j < tile_columns; ++j)
#pragma unroll
        for (int i = 0; i < tile_rows; ++i)
            if (Inside || (8 * i < rows && j < columns)) c[8 * i + j * c_step] = sum[i][j];
}

/// All tiles, by the warps of the block in turn.
template <bool Along, class T>
__device__ void multiply(const product<T>& p) {
    const int warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32;
    const int down = (p.rows + tile - 1) / tile, across = (p.columns + tile - 1) / tile;
    if (p.rows <= 0 || p.columns <= 0) return;
    for (int t = warp; t < down * across; t += warps) {
        const int row = t % down * tile, column = t / down * tile;
        if (row + tile <= p.rows && column + tile <= p.columns)
            multiply_tile<true, Along>(p, row, column);
        else
            multiply_tile<false, Along>(p, row, column);
    }
}

}  // namespace wale::lu::batched
