// tiling - a table cut into rectangular tiles: their size, the threads that are useful, the cells of one
// tile, and the orders in which threads may go through the tiles.
#pragma once

#include <functional>

#include "solvers/wavefront/fill/cpu/tuning.hpp"
#include "solvers/wavefront/fill/problem.hpp"

namespace wale::wavefront {

using tile_function = std::function<void(tile_range)>;

struct tiling {
    extents<2> shape;
    tile_shape tile;  // both > 0
    int threads = 1;

    /// The cells of the tile in this row and column of tiles.
    [[nodiscard]] tile_range range(index_t row, index_t column) const;
};

/// Antidiagonal after antidiagonal of tiles, a barrier between two. cpu/tiles.cpp
void schedule_tiles(const tiling&, const tile_function&);

/// Rows of tiles by ticket, a counter a row; throws unsupported_variant beyond 2^31 - 1 rows of tiles.
/// cpu/hyperlane.cpp
void schedule_hyperlane(const tiling&, const tile_function&);

/// The tile asked for, clipped to the shape, with the policy where it says 0; threads as asked and as useful.
[[nodiscard]] tiling cpu_tiling(extents<2> shape, tile_shape asked, int threads);

/// Writes the table of `job` by one of the schedules.
void fill_by(void (*schedule)(const tiling&, const tile_function&), fill_job& job);

/// Whether a table is worth more than cpu/rows.
[[nodiscard]] bool not_small(const fill_job&);

[[nodiscard]] const cpu_fill_policy& chosen_cpu_fill();
/// "tile=128x2048"
[[nodiscard]] std::string policy_text(const tile_shape&);

}  // namespace wale::wavefront
