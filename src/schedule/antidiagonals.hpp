// antidiagonals - the tiles of a grid in groups that wait for nothing within the group: r + c is the same.
//
//        0 1 2 3
//        1 2 3 4     number of the antidiagonal of each tile, 3 x 4 tiles
//        2 3 4 5
#pragma once

#include <wale/layout.hpp>

#include "base/host_device.hpp"

namespace wale::schedule {

struct tile_position {
    index_t row, column;  // in tiles
};

/// The antidiagonals of a grid of rows x columns tiles.
struct antidiagonals {
    index_t rows, columns;  // tiles

    [[nodiscard]] WALE_HD constexpr index_t count() const {
        return rows > 0 && columns > 0 ? rows + columns - 1 : 0;
    }
    /// The row of the uppermost tile on antidiagonal d.
    [[nodiscard]] WALE_HD constexpr index_t first_row(index_t d) const {
        return d < columns ? 0 : d - columns + 1;
    }
    /// Tiles on antidiagonal d, 0 <= d < count().
    [[nodiscard]] WALE_HD constexpr index_t tiles(index_t d) const {
        return (d < rows ? d : rows - 1) - first_row(d) + 1;
    }
    /// Tile k of antidiagonal d, from the top.
    [[nodiscard]] WALE_HD constexpr tile_position at(index_t d, index_t k) const {
        return {first_row(d) + k, d - first_row(d) - k};
    }
};

}  // namespace wale::schedule
