// tuning - measured choices of the CUDA rows. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

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

/// cuda/resident: a block of `threads` for each cell.
struct cable_resident_policy {
    int threads;
    int fewest_of_cells;  // cells for each multiprocessor from which cuda/cells is better
};
inline constexpr tuning::row<cable_resident_policy> cable_resident_policies[] = {
    {90, 8, {128, 500}, "untuned"},
    {90, 8, {192, 500}, "untuned"},
    {90, 8, {256, 500}, "untuned"},
    {0, 0, {128, 500}, "untuned"},
};
static_assert(tuning::well_formed(cable_resident_policies));

/// Steps of a launch, and what its samples and spikes may take: so that a run of any length fits.
inline constexpr index_t cable_launch_steps = 4096;
inline constexpr index_t cable_launch_bytes = index_t{1} << 28;

}  // namespace wale::tree
