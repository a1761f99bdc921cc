// panel_workspace - a panel of columns: where its parts lie in shared memory and in registers.
#pragma once

#include <type_traits>
#include <wale/layout.hpp>

#include "base/host_device.hpp"
#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {

// C -= X Y for a block: C where it lies, X and Y in shared memory. A warp takes tiles of 32 x 32, a lane 4
// x 8 elements of each.

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

inline constexpr int most_warps = 16;
inline constexpr int phase = 8;  // columns between two sizes of the window on the registers
inline constexpr int quad = 4;   // neighbours in shared memory that are read at once

template <class T>
struct alignas(16) quad_of {
    T at[quad];
};

/// Where things lie in the shared memory of a block, by rows and columns of the largest matrix of the launch.
template <class T, int Row>
struct panel_memory {
    static constexpr panel_policy policy = panel_policies[Row].policy;
    static constexpr int width = policy.width;
    static constexpr int slots = 2 * most_warps;  // of candidates: two generations
    /// Columns of U at a time, where the matrix is not in shared memory.
    static constexpr int strip = policy.threads;
    int pitch;  // of the matrix, or of the panel, in shared memory
    int rows, columns;

    WALE_HD panel_memory(int m, int n) : pitch(policy.in_shared ? m | 1 : m), rows(m), columns(n) {}
    [[nodiscard]] WALE_HD int elements() const {
        const int all = policy.in_shared ? pitch * columns + tile : width * (pitch + strip) + 2 * tile;
        return (all + quad - 1) / quad * quad;
    }
    [[nodiscard]] WALE_HD std::size_t bytes() const {
        return sizeof(T) * static_cast<std::size_t>(elements() + slots * width + width * width) +
               sizeof(batched::key<T>) * slots +
               sizeof(int) * static_cast<std::size_t>(2 * slots + 2 * width + 1 + rows);
    }
};

/// The same, as pointers.
template <class T, int Row>
struct panel_workspace {
    using memory = panel_memory<T, Row>;
    static constexpr int width = memory::width;
    batched::key<T>* keys;  // [generation][warp]
    T* slots;               // [generation][warp][width] candidate rows
    T* corner;              // [column][row] the panel's square of L and U
    T* elements;            // the matrix, or: the panel [width][pitch], then the strip of U
    int* places;            // [generation][warp]
    int* rows;              // [generation][warp] where the candidates stood when the panel began
    int* source;            // [width] row that comes to the panel's row i
    int* moved;             // [width] where the panel's row i goes, below the panel; -1: nowhere
    int* exchanged;         // [1]
    int* permutation;       // [rows]
    int pitch;

    __device__ panel_workspace(unsigned char* base, const memory& size) : pitch(size.pitch) {
        keys = reinterpret_cast<batched::key<T>*>(base);
        slots = reinterpret_cast<T*>(keys + memory::slots);
        corner = slots + memory::slots * width;
        elements = corner + width * width;
        places = reinterpret_cast<int*>(elements + size.elements());
        rows = places + memory::slots;
        source = rows + memory::slots;
        moved = source + width;
        exchanged = moved + width;
        permutation = exchanged + 1;
    }
    [[nodiscard]] __device__ T* strip() const { return elements + width * pitch + tile; }
};

/// The matrix while it is factored.
template <class T>
struct home {
    T* data;
    index_t row_step, column_step;
    __device__ T& operator()(int row, int column) const {
        return data[row * row_step + column * column_step];
    }
};

/// Rows of one thread in the panel. place: in P A; none: there is no such row. open: the same while the row
/// may become a pivot's, then none.
template <class T, int Row>
struct panel_rows {
    static constexpr int rows = panel_memory<T, Row>::policy.rows_per_thread;
    static constexpr int width = panel_memory<T, Row>::width;
    T a[rows][width];
    int row[rows], place[rows], open[rows];
    int label[rows];  // number in A
};

struct panel_shape {
    int rows, columns, diagonal;
    int first, width;  // of the panel
    int pitch;         // of the desk
    int threads;       // that factor the panel: whole warps, the first of the block
    bool pivoting;
    bool move;  // pivots below `smallest`
    double smallest;
};

/// The panel in shared memory: its own columns of the matrix there, or a copy. Rows as they stood when the
/// panel began, and from its first row on.
template <class T, int Row>
__device__ T* desk(const home<T>& a, const panel_workspace<T, Row>& workspace, const panel_shape& f) {
    if constexpr (panel_memory<T, Row>::policy.in_shared) return &a(f.first, f.first);
    return workspace.elements;
}

}  // namespace wale::lu::batched
