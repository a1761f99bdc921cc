// barrier - a barrier for the threads of a team. With more threads than cores the team still makes progress:
// a thread that waits soon lets others run. std::barrier neither bounds its wait nor ends when a rank throws.
#pragma once

#include <atomic>
#include <wale/error.hpp>

#include "cpu/poll.hpp"
#include "cpu/ready_rows_sync.hpp"
#include "schedule/wait.hpp"

namespace wale::cpu {

/// Who does what: every thread of the team calls wait() at the same places. What it waits for: all have come.
/// Why it cannot deadlock: all pass the same barriers, and the last to come does not wait; where a rank
/// throws or does not start, pause() ends the waits of the others; a wait is bounded all the same. Why this
/// order: coming releases what a thread wrote, the round's end acquires what all wrote, and the count is
/// reset before the round ends.
class barrier {
public:
    explicit barrier(int size) noexcept : size_(static_cast<std::uint32_t>(size)) {}

    /// Throws where the wait of any thread ran out, and where the call is to end (poll).
    void wait() {
        wait([] {});
    }
    /// The last thread to come calls `complete` before any thread leaves.
    template <class F>
    void wait(const F& complete) {
        poll();
        const std::uint32_t round = round_.load(std::memory_order_relaxed);
        if (come_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
            complete();
            come_.store(0, std::memory_order_relaxed);
            round_.store(round + 1, std::memory_order_release);
        }
        const auto over = [&] { return round_.load(std::memory_order_acquire) != round; };
        if (!schedule::wait_until(over, schedule::shared_bound<sync>{&gave_up_}))
            throw error("a wait for the other threads of a team ran out");
    }

private:
    using sync = ready_rows_sync<>;
    alignas(base::cache_line) std::atomic<std::uint32_t> come_ = 0;
    alignas(base::cache_line) std::atomic<std::uint32_t> round_ = 0;
    sync::word gave_up_;
    std::uint32_t size_;
};

}  // namespace wale::cpu
