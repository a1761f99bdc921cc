// tuning - measured choices of every row.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::tree {

/// cpu/lanes. `vectors` of cells make a group, 1 or 2; from `share` of a vector's cells on the row pays.
struct cable_lanes_policy {
    index_t vectors;
    double share;
    [[nodiscard]] index_t fewest_cells(index_t lanes) const {
        return static_cast<index_t>(share * static_cast<double>(lanes)) + 1;
    }
};

inline constexpr tuning::row<cable_lanes_policy> cable_lanes_policies[] = {
    {0, 8, {2, 0.5}, "untuned"},
    {0, 0, {1, 0.5}, "untuned"},
};
static_assert(tuning::well_formed(cable_lanes_policies));

[[nodiscard]] inline const cable_lanes_policy& chosen_lanes() {
    return cable_lanes_policies[tuning::choose("tree/cable/lanes", cable_lanes_policies, 0, 8)].policy;
}

/// cuda/cells: a block of `threads` cells, at least `blocks` of them on a multiprocessor.
struct cable_cells_policy {
    int threads, blocks;
};
inline constexpr tuning::row<cable_cells_policy> cable_cells_policies[] = {
    {90, 8, {32, 12}, "untuned"},
    {0, 0, {64, 6}, "untuned"},
};
static_assert(tuning::well_formed(cable_cells_policies));

/// cuda/resident: a block of `threads` for each cell, for up to `most` cells a multiprocessor; 0: for any
/// number.
struct cable_resident_policy {
    int threads, most;
};
inline constexpr tuning::row<cable_resident_policy> cable_resident_policies[] = {
    {90, 8, {192, 4}, "untuned"},
    {0, 0, {128, 0}, "untuned"},
};
static_assert(tuning::well_formed(cable_resident_policies));

/// It suits where this many cells fit on a multiprocessor `together`, or there are at most `cells` for each.
struct cable_resident_limits {
    index_t together, cells;
};
inline constexpr cable_resident_limits cable_resident_suits{4, 64};

/// Steps of a launch, and what its samples and spikes may take: so that a run of any length fits.
inline constexpr index_t cable_launch_steps = 4096;
inline constexpr index_t cable_launch_bytes = index_t{1} << 28;

}  // namespace wale::tree
