// tuning - measured choices of cpu/vectors for cells of any shape.
#pragma once

#include <wale/layout.hpp>

namespace wale::euler {

/// Cells of a block: large blocks compute fewer faces twice, small ones stay in a near cache and leave each
/// thread as much to do as the others. Blocks are smaller where there are fewer than `parts` of them.
struct blocks_policy {
    index_t cells;
    index_t parts;
};
inline constexpr blocks_policy chosen_blocks{1024, 64};  // untuned

}  // namespace wale::euler
