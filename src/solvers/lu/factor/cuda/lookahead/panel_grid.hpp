// panel_grid - where the panels of a matrix begin.
#pragma once

#include "solvers/lu/problem.hpp"

namespace wale::lu {

/// Where panels begin: wide ones first. The first panels are joined, so many at a time.
struct panel_grid {
    int wide, wide_count, narrow;  // columns, panels, columns
    int joined, joined_count;      // panels together, and of all panels those that are
    /// The last of the panels that s is joined with.
    [[nodiscard]] WALE_HD int last(int s) const {
        return s < joined_count ? (s / joined + 1) * joined - 1 : s;
    }
    [[nodiscard]] WALE_HD int first(int s) const {
        return s < wide_count ? s * wide : wide_count * wide + (s - wide_count) * narrow;
    }
    /// The panel of a column.
    [[nodiscard]] WALE_HD int of(int column) const {
        const int all_wide = wide_count * wide;
        return column < all_wide ? column / wide : wide_count + (column - all_wide) / narrow;
    }
    /// Panels that hold so many columns.
    [[nodiscard]] int count(int columns) const { return columns == 0 ? 0 : of(columns - 1) + 1; }
};

}  // namespace wale::lu
