// wait - schedule::wait_until for device code: the bound, and how a thread, a warp and a block wait.
#pragma once

#include "cuda/atomics.cuh"
#include "cuda/warp.cuh"
#include "schedule/wait.hpp"

namespace wale::cuda {

using schedule::own_bound;
using schedule::wait_until;

/// Polls before a wait gives up: some seconds, where a hand-over takes half a microsecond.
inline constexpr std::uint32_t spin_limit = 1u << 22;

/// The atomics of the protocols for one thread, which polls without a pause.
struct thread_sync {
    using word = std::uint32_t;
    static constexpr std::uint32_t spin_limit = cuda::spin_limit;
    __device__ static word fetch_add(word* p) { return atomicAdd(p, 1u); }
    __device__ static word load_acquire(const word* p) { return cuda::load_acquire(p); }
    __device__ static word load_relaxed(const word* p) { return cuda::load_relaxed(p); }
    __device__ static void store_release(word* p, word v) { cuda::store_release(p, v); }
    __device__ static void store_relaxed(word* p, word v) { cuda::store_relaxed(p, v); }
    __device__ static void pause(std::uint32_t) {}
};

/// For one thread of a block whose other threads wait at a barrier: the pause leaves the multiprocessor to
/// other blocks.
struct block_sync : thread_sync {
    __device__ static void pause(std::uint32_t) { __nanosleep(20); }
};

/// schedule::shared_bound for a whole warp that polls together: either all lanes give up, or none.
struct warp_bound {
    std::uint32_t* failed;
    __device__ bool operator()(std::uint32_t spins) const {
        if (spins >= spin_limit) store_relaxed(failed, 1);
        return spins % schedule::polls_per_look == schedule::polls_per_look - 1 &&
               __any_sync(whole_warp, load_relaxed(failed) != 0);
    }
};

/// One bound for all waits of a thread: past the bound no wait polls again. The thread goes on with what has
/// arrived, so that it reaches every barrier of the block, and the kernel reports the failure at the end.
struct wait_budget {
    std::uint32_t polls = 0;
    bool exhausted = false;
    /// After a poll that failed; true: do not poll again.
    __device__ bool spend() {
        exhausted = exhausted || ++polls > spin_limit;
        return exhausted;
    }
};

}  // namespace wale::cuda
