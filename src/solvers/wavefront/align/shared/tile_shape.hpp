// tile_shape - how large a tile may be so that a type of cells holds all its values, and the cells of a tile
// that was computed again, for the path and for the best cells.
#pragma once

#include <algorithm>
#include <optional>

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

/// What is never worse than a pair of this score: two gaps of one symbol each cost less. Every cell is at
/// least its diagonal neighbour - 2 open, so that no path uses a pair below this.
inline std::int64_t clamped_score(const alignment_problem& p, std::int64_t score) {
    return std::max(score, -(2 * p.open + 1));
}

inline std::int64_t largest_score(const alignment_problem& p) {
    if (p.by_equality) return std::max({p.match, p.mismatch, std::int64_t{0}});
    const std::size_t count = std::size_t{p.table_rows} * p.letters;
    const std::int64_t most = count == 0 ? 0 : *std::max_element(p.table, p.table + count);
    return std::max<std::int64_t>(most, 0);
}

/// The tile whose cells T holds. Relative to the corner no H of a tile is above (rows + columns) * (largest
/// score + extend) + open, nor below -(rows + columns) * extend - 2 open: a path to the cell can be turned
/// into one through the corner, and back, at that price; E and F are within another open, sums with a score
/// within 2 open + 1. No answer: not even tiles of four rows a lane fit.
template <class T>
std::optional<tile_shape_chosen> shape_for(const alignment_problem& p, const tile_kernel<T>& kernel) {
    constexpr std::int64_t range = (std::int64_t{1} << (8 * sizeof(T) - 1)) - 256;
    const std::int64_t step = largest_score(p) + p.extend;
    const std::int64_t sides = (range - 8 * p.open) / std::max<std::int64_t>(step, 1);
    const bool huge = p.rows() > 50'000 && p.columns() > 50'000;
    const index_t wanted = kernel.lanes * kernel.most_depth * (huge ? 2 : 1);
    const index_t half = sides / 3 / kernel.lanes * kernel.lanes;
    tile_shape_chosen shape;
    shape.rows = std::min(wanted, half);
    shape.columns = std::min<index_t>(sides - shape.rows, 1024);
    if (half < std::min<index_t>(wanted, 4 * kernel.lanes)) return std::nullopt;
    return shape;
}

/// 8 bits hold a local alignment whose best score turns out to be below 127: H is between 0 and that, E and F
/// are not below -open, and no sum saturates upwards that does not show in H.
inline bool may_be_narrow(const alignment_problem& p) {
    return p.local() && p.open <= 60 && largest_score(p) < 64 && (!p.by_equality || p.letters < 127);
}

}  // namespace wale::wavefront
