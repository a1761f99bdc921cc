// cgns_blocks - blocks of points numbered by i, j, k become one list of cells: points that are one are
// joined, cells whose corners fall together take the shape that is left.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>
#include <wale/mesh.hpp>

#include "base/disjoint_sets.hpp"

namespace wale::io {

using block_index = std::array<index_t, 3>;  // from 0; k is 0 in 2-D

struct structured_block {
    std::string name;
    block_index points{1, 1, 1};  // along each axis; 1 along k in 2-D
    index_t first_point = 0;      // in the list of all blocks
    /// [side][face] the patch of each face of the sides i low, i high, j low and so on; -1: none.
    std::array<std::vector<int>, 6> patch;

    [[nodiscard]] index_t point(const block_index& at) const {
        return first_point + at[0] + points[0] * (at[1] + points[1] * at[2]);
    }
    [[nodiscard]] index_t cells_along(std::size_t axis) const {
        return points[axis] > 1 ? points[axis] - 1 : 1;
    }
    [[nodiscard]] index_t cells() const { return cells_along(0) * cells_along(1) * cells_along(2); }
    /// The two axes along a side, of which the first one's faces are counted first.
    [[nodiscard]] static std::array<std::size_t, 2> along(std::size_t side) {
        const std::size_t axis = side / 2;
        return {axis == 0 ? 1U : 0U, axis == 2 ? 1U : 2U};
    }
    [[nodiscard]] index_t faces_of_side(std::size_t side) const {
        return cells_along(along(side)[0]) * cells_along(along(side)[1]);
    }
};

/// Joins the ends of edges that have no length: those of at most 1e-10 of the longest edge of a cell, or
/// four roundings (`epsilon`) of the coordinates.
void join_poles(const std::vector<structured_block>& blocks, const mesh_elements& e, double epsilon,
                base::disjoint_sets& same);

/// Gives `e`, which has the points of all blocks and names of patches, cells in the order of the blocks (i
/// first), the faces of the patches, and of points that are the same the first one. `refuse` throws.
void assemble_blocks(const std::vector<structured_block>& blocks, base::disjoint_sets& same, mesh_elements& e,
                     const std::function<void(const std::string&)>& refuse);

}  // namespace wale::io
