// deal - tiles of a mesh dealt to the devices that compute one flow, and whose records each device needs of
// the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include <wale/layout.hpp>

namespace wale::euler {

/// A tile moves the records first <= number < first + own and reads `borrowed` others, whose numbers begin at
/// `halo` of a list that all tiles share.
struct tile_reach {
    index_t first, own, halo, borrowed;
};

/// What one of several devices does.
struct tile_share {
    std::vector<std::int32_t>
        tiles;           // numbers of its tiles; those that lend to other devices or borrow come first
    index_t border = 0;  // how many of these there are
    std::vector<std::vector<std::int32_t>> lent;  // [devices] numbers of its records that go there, ascending
    index_t first = 0, last = 0;                  // its cells are first <= number < last
};

/// Contiguous tiles of about equal numbers of cells for each device. Own cells of the tiles are numbered one
/// tile after the other, 0 to `cells`; record cells + g is a ghost, which the tile of cell ghosts[g] moves.
/// O(cells + size of the halo).
[[nodiscard]] std::vector<tile_share> deal_tiles(std::span<const tile_reach> tiles,
                                                 std::span<const std::int32_t> halo, index_t cells,
                                                 std::span<const std::int32_t> ghosts, int devices);

/// The whole of it for one device.
[[nodiscard]] tile_share all_tiles(index_t tiles, index_t cells);

}  // namespace wale::euler
