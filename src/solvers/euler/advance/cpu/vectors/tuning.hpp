// tuning - measured choices of cpu/vectors for cells of any shape. Rows behind the first that fits are
// candidates that only WALE_TUNING reaches.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::euler {

/// Cells of a block: large blocks compute fewer faces twice, small ones stay in a near cache and leave each
/// thread as much to do as the others. Blocks are smaller where there are fewer than `parts` of them.
struct blocks_policy {
    index_t cells;
    index_t parts;
};
inline constexpr tuning::row<blocks_policy> blocks_policies[] = {
    {0, 0, {1024, 64}, "untuned"}, {0, 0, {256, 64}, "untuned"},  {0, 0, {512, 64}, "untuned"},
    {0, 0, {128, 64}, "untuned"},  {0, 0, {2048, 64}, "untuned"},
};
static_assert(tuning::well_formed(blocks_policies));

[[nodiscard]] inline blocks_policy chosen_blocks() {
    return blocks_policies[tuning::choose("euler/advance/blocks", blocks_policies, 0, 8)].policy;
}

}  // namespace wale::euler
