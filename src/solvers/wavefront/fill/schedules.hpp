// schedules - orders in which threads may go through the tiles of a table; what a tile does is the caller's.
#pragma once

#include <functional>
#include <wale/wavefront.hpp>

namespace wale::wavefront {

using tile_function = std::function<void(tile_range)>;

/// A shape cut into rectangles, and the threads to use.
struct tiling {
    extents<2> shape;
    tile_shape tile;  // both > 0
    int threads = 1;
};

/// Row by row, each row one tile; on the calling thread.
void schedule_rows(const tiling&, const tile_function&);

/// Antidiagonal after antidiagonal of tiles, a barrier between two.
void schedule_tiles(const tiling&, const tile_function&);

/// Rows of tiles by ticket, a counter a row; throws unsupported_variant beyond 2^31 - 1 rows of tiles.
void schedule_hyperlane(const tiling&, const tile_function&);

/// The tile asked for, clipped to the shape, with the policy where it says 0; threads as asked and as useful.
[[nodiscard]] tiling cpu_tiling(extents<2> shape, tile_shape asked, int threads);
/// "tile=128x2048"
[[nodiscard]] std::string policy_text(const tile_shape&);

}  // namespace wale::wavefront
