// deal - tiles of a mesh dealt to the devices that compute one flow, and whose records each device needs of
// the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include <wale/euler.hpp>

namespace wale::euler {

/// A tile moves the records first <= number < first + own and reads `borrowed` others, whose numbers begin at
/// `halo` of a list that all tiles share.
struct tile_reach {
    index_t first, own, halo, borrowed;
};

/// What one of several devices does: its cells are first <= number < last.
struct part_share {
    index_t first = 0, last = 0;
    std::vector<std::int32_t>
        tiles;           // numbers of its tiles, where there are some: those at the border come first
    index_t border = 0;  // how many of its tiles, or cells, lend to other devices or borrow of them
    /// [devices] Of its records, and of the rows of its cells, the numbers of those that go there, ascending.
    std::vector<std::vector<std::int32_t>> lent, lent_rows;
    std::vector<std::vector<std::int32_t>> lent_there;  // the same records' numbers there; empty: the same
};

/// Contiguous tiles of about equal numbers of cells for each device. Own cells of the tiles are numbered one
/// tile after the other, 0 to `cells`; record cells + g is a ghost, which the tile of cell ghosts[g] moves.
/// O(cells + size of the halo).
[[nodiscard]] std::vector<part_share> deal_tiles(std::span<const tile_reach> tiles,
                                                 std::span<const std::int32_t> halo, index_t cells,
                                                 std::span<const std::int32_t> ghosts, int devices);

/// Cells dealt one by one.
struct dealt_cells {
    std::vector<std::int32_t>
        order;  // [cells] the mesh's number of each: device after device, the border first
    std::vector<part_share> shares;  // without tiles
};
/// `owner` is the device of each cell. Cells go to devices with cells within `layers`, and rows, in the new
/// order, to the devices across their faces. `layers` is 1 or 2. O(rows, for two layers times a cell's
/// faces).
[[nodiscard]] dealt_cells deal_cells(const mesh& m, std::span<const std::int32_t> owner, int layers,
                                     int devices);

/// All tiles for one device.
[[nodiscard]] part_share all_tiles(index_t tiles, index_t cells);

}  // namespace wale::euler
