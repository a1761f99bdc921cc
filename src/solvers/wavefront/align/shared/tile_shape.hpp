// tile_shape - how large a tile may be so that a type of cells holds all its values.
#pragma once

#include <algorithm>
#include <optional>

#include "solvers/wavefront/align/shared/tiles.hpp"

namespace wale::wavefront {

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
