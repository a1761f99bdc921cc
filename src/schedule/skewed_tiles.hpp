// skewed_tiles - a table cut into bands of `height` rows, a band into tiles that lean to the left by `skew`
// columns a row, so that the lanes of a vector or warp, one a row, work on one antidiagonal. skew 0:
// rectangles.
//
//        0 0 0 1 1 1 2 2
//        0 0 1 1 1 2 2 2     number of the tile of each cell: width 3, height 3, skew 1, 8 columns
//        0 1 1 1 2 2 2 3
#pragma once

#include <wale/layout.hpp>

#include "base/host_device.hpp"

namespace wale::schedule {

struct column_range {
    index_t begin, end;  // columns; empty where begin == end
};

struct skewed_tiles {
    index_t columns;  // of the table
    index_t width;    // columns of a tile, > 0
    index_t height;   // rows of a band, > 0; the last band may have fewer
    index_t skew;     // columns that each row begins further to the left, >= 0

    /// How far the last row of a band lags behind its first.
    [[nodiscard]] WALE_HD constexpr index_t lag() const { return (height - 1) * skew; }

    /// Tiles of a band. The last ones may have no cell in the upper rows, nor in a band of fewer rows.
    [[nodiscard]] WALE_HD constexpr index_t tiles() const {
        return columns > 0 ? (columns + lag() + width - 1) / width : 0;
    }

    /// Columns of tile t in row `row` of its band, clipped to the table.
    [[nodiscard]] WALE_HD constexpr column_range range(index_t t, index_t row) const {
        const index_t begin = t * width - row * skew;
        return {clipped(begin), clipped(begin + width)};
    }

    /// How many tiles of the band above must be done before tile t may run: up to that which holds, in the
    /// last row of the band above, the last column of tile t's first row. Rows below lean away from it.
    [[nodiscard]] WALE_HD constexpr index_t needed_above(index_t t) const {
        const index_t count = t + 1 + (lag() + width - 1) / width;
        return count < tiles() ? count : tiles();
    }

private:
    [[nodiscard]] WALE_HD constexpr index_t clipped(index_t column) const {
        return column < 0 ? 0 : column > columns ? columns : column;
    }
};

}  // namespace wale::schedule
