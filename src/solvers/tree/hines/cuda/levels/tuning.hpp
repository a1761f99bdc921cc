// tuning - lanes of the block that takes a tree.
#pragma once

#include <wale/layout.hpp>

#include "tuning/table.hpp"

namespace wale::tree::block_levels {

struct policy {
    int lanes;  // whole warps
    /// Up to so many trees together `automatic` gives each a block; of more, a thread each does as well.
    index_t most_trees;
};
inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {128, 4096}, "bench/results/h200/tree.csv:17"},
    {0, 0, {64, 4096}, "untuned"},
};

}  // namespace wale::tree::block_levels
