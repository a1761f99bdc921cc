// rect - what cuda/rect_global and cuda/rect_shared share: rectangular tiles over antidiagonals of tiles, one
// launch an antidiagonal, one block a tile. No block waits for another: the launches are the order.
#pragma once

#include "solvers/wavefront/fill/shared/launch.cuh"

namespace wale::wavefront {
template <class T>
struct grid_of_tiles {
    T* table;
    index_t rows, columns, pitch;  // cells
    index_t tile_rows, tile_columns;
    index_t diagonal, first;  // of tiles: block b is tile (first + b, diagonal - first - b)

    /// The tile of a block: its corner and clipped size.
    struct tile {
        index_t i, j, rows, columns;
    };
    __device__ tile of(index_t block) const {
        const index_t i = (first + block) * tile_rows;
        const index_t j = (diagonal - first - block) * tile_columns;
        return {i, j, smaller(tile_rows, rows - i), smaller(tile_columns, columns - j)};
    }
};

/// A cell of the table or of the border.
template <class R, class T>
__device__ T at(const R& r, const grid_of_tiles<T>& g, index_t i, index_t j) {
    return i >= 0 && j >= 0 ? g.table[i * g.pitch + j] : border(r, i, j);
}

template <class T>
grid_of_tiles<T> grid_for(const fill_job& job, const tile_shape& t) {
    return {static_cast<T*>(job.table), job.rows, job.columns, job.pitch, t.rows, t.columns, 0, 0};
}

/// launch(tiles of this antidiagonal, grid) for every antidiagonal of tiles; returns their number.
template <class T, class Launch>
index_t over_antidiagonals(grid_of_tiles<T> g, const Launch& launch) {
    const index_t down = parts(g.rows, g.tile_rows);
    const index_t across = parts(g.columns, g.tile_columns);
    for (g.diagonal = 0; g.diagonal < down + across - 1; ++g.diagonal) {
        g.first = std::max<index_t>(0, g.diagonal - across + 1);
        launch(static_cast<unsigned>(std::min(g.diagonal, down - 1) - g.first + 1), g);
        cuda::check_launch();
    }
    return down + across - 1;
}

[[nodiscard]] inline unsigned threads_for(const tile_shape& t) {
    return static_cast<unsigned>(std::min<index_t>(parts(t.rows, 32) * 32, 1024));
}

}  // namespace wale::wavefront
