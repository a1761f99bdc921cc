// dealing - which device holds which columns: panels that are joined together, in turn.
#pragma once

#include <algorithm>
#include <vector>

#include "solvers/lu/factor/cuda/lookahead/panel_grid.hpp"

namespace wale::lu {

/// Columns [begin, end), which one device holds from its own column `local` on. Those right of the last pivot
/// have no panels.
struct column_group {
    int first_panel = 0, last_panel = -1;
    index_t begin = 0, end = 0;
    std::size_t owner = 0;
    index_t local = 0;
    [[nodiscard]] bool pivots() const { return last_panel >= first_panel; }
};

struct column_dealing {
    std::vector<column_group> groups;
    std::size_t with_panels = 0;   // the first so many groups
    std::vector<index_t> columns;  // of each device
    index_t widest = 0;

    column_dealing(const panel_grid& grid, index_t diagonal, index_t all, std::size_t devices)
        : columns(devices, 0) {
        const int count = grid.count(static_cast<int>(diagonal));
        for (int s = 0, last = 0; s < count; s = last + 1) {
            last = grid.last(s);
            deal(s, last, grid.first(s), std::min<index_t>(grid.first(last + 1), diagonal));
        }
        with_panels = groups.size();
        const index_t step = std::max<index_t>(1, widest);
        for (index_t begin = diagonal; begin < all; begin += step)
            deal(0, -1, begin, std::min(all, begin + step));
    }

    /// The columns of device k that lie right of group g: its own from here on.
    [[nodiscard]] index_t right_of(std::size_t g, std::size_t k) const {
        for (std::size_t h = g + 1; h < groups.size(); ++h)
            if (groups[h].owner == k) return groups[h].local;
        return columns[k];
    }

private:
    void deal(int first, int last, index_t begin, index_t end) {
        const std::size_t owner = groups.size() % columns.size();
        groups.push_back({first, last, begin, end, owner, columns[owner]});
        columns[owner] += end - begin;
        widest = std::max(widest, end - begin);
    }
};

}  // namespace wale::lu
