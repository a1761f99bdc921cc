// tuning - how a chain is dealt to the multiprocessors' shared memory.
#pragma once

#include "tuning/override.hpp"

namespace wale::tree::spike {

/// Rows of a thread in one array, by size of the chain: the first of these that is enough is taken.
inline constexpr int shapes = 4;
struct policy {
    int run_bytes[shapes];
    int warps;  // of a block
    int kept;   // arrays in shared memory: 3 or 4
};
inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {{32, 64, 128, 256}, 8, 3}, "untuned"},
    {0, 0, {{16, 32, 64, 64}, 8, 3}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::tree::spike
