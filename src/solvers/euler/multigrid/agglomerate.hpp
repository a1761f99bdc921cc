// agglomerate - coarser grids for multigrid: neighbouring cells become one cell with many faces.
#pragma once

#include <vector>
#include <wale/mesh.hpp>

namespace wale::euler {

/// A grid of groups of a finer grid's cells. Faces between the same two groups, or of a group on one patch,
/// are one: area vectors add up. It has no coordinates and no mates.
struct coarse_grid {
    mesh grid;
    std::vector<std::int32_t> parent;   // [finer cells] the group of each
    std::vector<index_t> first_member;  // [groups + 1]
    std::vector<std::int32_t> members;  // finer cells, in rising order within a group
    std::vector<double> surface;  // [groups] area of the finest grid's faces round it, before any were joined
};

/// Groups of about eight cells (four in 2-D) that grow by the neighbour which shares the largest part of its
/// surface with them, in a front from cell 0 on: where cells are stretched, groups are less so. Depends on
/// the numbering of `fine`. O(rows).
[[nodiscard]] coarse_grid agglomerated(const mesh& fine);

/// Up to `levels` - 1 ever coarser grids of `fine`, the finest first; fewer where nothing is left to join.
[[nodiscard]] std::vector<coarse_grid> agglomerated_levels(const mesh& fine, int levels);

}  // namespace wale::euler
