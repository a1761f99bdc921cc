// tile_cells - the cells of a tile that was computed again, for the path and for the best cells.
#pragma once

#include "solvers/wavefront/align/shared/tiles.hpp"

namespace wale::wavefront {

/// The cells of a tile by their place in the whole table.
template <class T>
struct tile_cells {
    tile<T> t;
    index_t first_row, first_column, depth, lanes;
    std::int64_t base;

    [[nodiscard]] std::size_t at(index_t i, index_t j) const {
        const index_t lane = (i - first_row - 1) / depth, r = (i - first_row - 1) % depth;
        return static_cast<std::size_t>(((j - first_column - 1 + lane) * depth + r) * lanes + lane);
    }
    /// The leftmost column that has the value, then the uppermost row; {0, 0}: none.
    [[nodiscard]] alignment_end first(std::int64_t value) const {
        const auto wanted = static_cast<T>(value - base);
        const index_t of_step = depth * lanes, steps = t.columns + lanes - 1;
        alignment_end best;
        for (index_t s = 0; s < steps && (best.target == 0 || s < best.target - first_column - 1 + lanes);
             ++s) {
            const T* row = t.h_cells + s * of_step;
            bool any = false;  // without an exit, the loop is vectorised
            for (index_t k = 0; k < of_step; ++k) any |= row[k] == wanted;
            for (index_t k = 0; any && k < of_step; ++k) {
                const index_t i = k % lanes * depth + k / lanes, j = s - k % lanes;
                if (row[k] != wanted || i >= t.rows || j < 0 || j >= t.columns) continue;
                const alignment_end cell{first_row + i + 1, first_column + j + 1};
                const bool before =
                    cell.target != best.target ? cell.target < best.target : cell.query < best.query;
                if (best.target == 0 || before) best = cell;
            }
        }
        return best;
    }
    [[nodiscard]] std::int64_t h(index_t i, index_t j) const {
        if (i == first_row && j == first_column) return base + t.corner;
        if (i == first_row) return base + t.top[j - first_column - 1];
        if (j == first_column) return base + t.left[i - first_row - 1];
        return base + t.h_cells[at(i, j)];
    }
    [[nodiscard]] bool has_h(index_t i, index_t j, std::int64_t v) const { return h(i, j) == v; }
    [[nodiscard]] bool has_pair(index_t i, index_t j, std::int64_t v) const { return h(i - 1, j - 1) == v; }
    [[nodiscard]] bool has_e(index_t i, index_t j, std::int64_t v) const {
        return base + t.e_cells[at(i, j)] == v;
    }
};

}  // namespace wale::wavefront
