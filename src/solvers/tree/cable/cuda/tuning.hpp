// tuning - measured choices of the CUDA rows. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::tree {

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
    {90, 8, {128, 0}, "untuned"},
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
