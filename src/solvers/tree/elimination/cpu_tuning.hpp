// cpu_tuning - measured choices of the host rows.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::tree {

struct chain_threads_policy {
    double unknowns_a_thread;  // fewer are not worth a thread
};
inline constexpr tuning::row<chain_threads_policy> chain_threads_policies[] = {
    {0, 0, {32768}, "untuned"},
    {0, 0, {8192}, "untuned"},
};
static_assert(tuning::well_formed(chain_threads_policies));

/// cpu/lanes: docs/performance/tree.md has what was tried, on a machine with other work.
struct lanes_policy {
    index_t scratch_bytes;  // of a group, which should stay in the cache of a core
    index_t least, most;    // vectors of a group whose systems lie side by side
    index_t most_fetched;   // of one whose systems are transposed on the way: tiles stay in the first cache
    index_t ahead;          // rows to prefetch ahead where systems lie side by side
    index_t systems;        // fewer are not worth vectors,
    index_t systems_apart;  // nor fewer than this where a system's rows do not lie one after the other
    double streamed_bytes;  // jobs beyond this write past the caches
};
inline constexpr tuning::row<lanes_policy> lanes_policies[] = {
    {0, 0, {1024 * 1024, 4, 8, 4, 4, 4, 6, 16e6}, "untuned"},
    {0, 0, {256 * 1024, 2, 4, 3, 4, 4, 6, 16e6}, "untuned"},
    {0, 0, {512 * 1024, 2, 16, 8, 8, 4, 6, 16e6}, "untuned"},
    {0, 0, {256 * 1024, 2, 8, 4, 0, 4, 6, 1e30}, "untuned"},
};
static_assert(tuning::well_formed(lanes_policies));

[[nodiscard]] inline const lanes_policy& chosen_lanes(index_t element_size) {
    return lanes_policies[tuning::choose("tree/chains/lanes", lanes_policies, 0,
                                         static_cast<int>(element_size))]
        .policy;
}

[[nodiscard]] inline const chain_threads_policy& chosen_chain_threads() {
    return chain_threads_policies[tuning::choose("tree/chains/threads", chain_threads_policies, 0, 0)].policy;
}

}  // namespace wale::tree
