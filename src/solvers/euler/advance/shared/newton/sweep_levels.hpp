// sweep_levels - the order in which a sweep takes the cells, cut into levels: no two cells of a level are
// neighbours, and every neighbour that the sweep takes earlier is in an earlier level. A level's cells may be
// taken together, and the answer has the bits of one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solvers/euler/advance/shared/newton/newton_rule.hpp"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

struct sweep_levels {
    std::vector<std::int32_t> in_order;  // [cells] computed cells in the mesh's own order
    std::vector<std::int32_t> cells;     // [cells] computed cells, level after level
    std::vector<index_t> first;          // [levels + 1] places in `cells`
    std::vector<std::int32_t> level;     // [cells] of each computed cell
    [[nodiscard]] index_t count() const noexcept { return std::ssize(first) - 1; }
    /// Whether the sweep takes `cell` before its neighbour `other`.
    [[nodiscard]] bool earlier(index_t cell, index_t other) const {
        return level[static_cast<std::size_t>(cell)] < level[static_cast<std::size_t>(other)];
    }
};

/// What preconditions Krylov's method.
struct sweep_plan {
    sweep_levels order;
    int forward = 0;  // sweeps of block Gauss and Seidel's; 0: LU-SGS, one sweep up the levels and one down
    newton_bounds bounds{};
    [[nodiscard]] std::string label() const {
        if (forward == 0) return "levels=" + std::to_string(order.count());
        return "colours=" + std::to_string(order.count()) + " sweeps=" + std::to_string(forward);
    }
};

/// Sweeps by colours: with few colours little is done in the order of the cells, so one sweep up and one down
/// take three times the directions of levels, eight up take half of them.
inline constexpr int coloured_sweeps = 8;

/// Of the mesh's own order, whatever the numbering that is computed in. O(rows).
[[nodiscard]] sweep_levels sweep_levels_of(const flow_system& system);

/// Few levels instead: a cell's colour is the first that no neighbour before it has, in the mesh's own order
/// (multi-colour ordering: Adams, Ortega 1982); the sweep takes colour after colour. At most one colour more
/// than the most neighbours of a cell. O(rows).
[[nodiscard]] sweep_levels sweep_colours_of(const flow_system& system);

}  // namespace wale::euler
