// links - what a gradient sees, with weights that the mesh alone says: a cell's gradient is the sum of
// weights times differences of values. What lies behind a face of a patch is a value of its own, a ghost.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

struct gradient_links {
    struct link {
        double weight[3];
        std::int32_t value;  // a cell, or behind all cells a ghost
    };
    std::vector<index_t> first;        // [cells + 1] places in links
    std::vector<link> links;           // cell after cell
    std::vector<std::int32_t> ghosts;  // [ghosts] the row of each
};

/// Of cell_gradient() without a limiter, for `k` of second order. O(rows).
[[nodiscard]] gradient_links gradient_links_of(const plain_grid<double>& grid, const constants<double>& k);

}  // namespace wale::euler
