// wait - the one loop in which a worker (a CUDA thread, warp or block, a CPU thread) waits for another
// worker.
//
// Who:   one worker polls a word that another worker writes; arrived() is true once the word is there.
// Waits: until arrived(), or until gives_up(spins), asked after each poll that failed, ends the wait.
// Why no deadlock: what a worker waits for is done by a worker that has started and does not wait for this
//        one; each protocol proves that (ready_rows, tile_dag, the kernels). The bound holds where the proof
//        fails: with `shared_bound` the first worker past the bound raises `failed`, and all workers leave.
// Why this order: arrived() chooses it. An acquire hands over everything that was written before the release
//        of the word; a relaxed load is enough where the word brings its own value and tag. `failed` is
//        relaxed: no data follows from it.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace wale::schedule {

/// False: the wait was given up.
WALE_NO_EXECUTION_CHECK
template <class Arrived, class GivesUp>
WALE_HD inline bool wait_until(Arrived&& arrived, GivesUp&& gives_up) {
    for (std::uint32_t spins = 0; !arrived(); ++spins)
        if (gives_up(spins)) return false;
    return true;
}

/// Gives up after `limit` polls. For a wait whose caller reports the failure.
struct own_bound {
    std::uint32_t limit;
    WALE_HD bool operator()(std::uint32_t spins) const { return spins >= limit; }
};

/// How many polls pass between two looks at `failed`.
inline constexpr std::uint32_t polls_per_look = 256;

/// Raises `failed` after Sync::spin_limit polls; gives up once this or another worker has raised `failed`.
/// Sync: static load_relaxed(word*), store_relaxed(word*, v), pause(spins); spin_limit.
template <class Sync>
struct shared_bound {
    typename Sync::word* failed;

    WALE_HD bool operator()(std::uint32_t spins) const {
        if (spins >= Sync::spin_limit) Sync::store_relaxed(failed, 1);
        if (spins % polls_per_look == polls_per_look - 1 && Sync::load_relaxed(failed) != 0) return true;
        Sync::pause(spins);
        return false;
    }
};

}  // namespace wale::schedule
