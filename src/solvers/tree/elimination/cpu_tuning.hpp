// cpu_tuning - measured choices of the host rows.
#pragma once

#include <wale/layout.hpp>

namespace wale::tree {

struct chain_threads_policy {
    double unknowns_a_thread;  // fewer are not worth a thread
};
inline constexpr chain_threads_policy chosen_chain_threads{32768};  // untuned

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
inline constexpr lanes_policy chain_lanes{1024 * 1024, 4, 8, 4, 4, 4, 6, 16e6};  // untuned

}  // namespace wale::tree
