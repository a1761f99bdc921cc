// ready_rows_sync - the atomics of schedule::ready_rows for threads, and how a thread waits: first by
// polling, then by yielding, at last by sleeping, so that a team with more threads than cores still makes
// progress.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "base/aligned.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"

namespace wale::cpu {

/// `Limit`: looks at a counter before a wait is given up; with the sleep below the default is above an hour.
template <std::uint32_t Limit = 1u << 26>
struct ready_rows_sync {
    /// One cache line each: a counter is written by one thread and polled by another.
    struct alignas(base::cache_line) word {
        std::uint32_t value = 0;
    };
    static constexpr std::uint32_t spin_limit = Limit;

    /// Taking a ticket is where a rank notices that its call is to end.
    static std::uint32_t fetch_add(word* w) {
        poll();
        return at(w).fetch_add(1, std::memory_order_relaxed);
    }
    static std::uint32_t load_acquire(word* w) { return at(w).load(std::memory_order_acquire); }
    static std::uint32_t load_relaxed(word* w) { return at(w).load(std::memory_order_relaxed); }
    static void store_release(word* w, std::uint32_t v) { at(w).store(v, std::memory_order_release); }
    static void store_relaxed(word* w, std::uint32_t v) { at(w).store(v, std::memory_order_relaxed); }
    /// Does not return to a wait that cannot end because another rank of the team threw or did not start.
    static void pause(std::uint32_t spins) {
        if (spins < 1024) return;
        leave_stopped_team();
        if (spins < 16384)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }

private:
    static std::atomic_ref<std::uint32_t> at(word* w) { return std::atomic_ref<std::uint32_t>(w->value); }
};

}  // namespace wale::cpu
