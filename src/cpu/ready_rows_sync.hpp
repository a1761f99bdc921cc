// ready_rows_sync - the atomics of schedule::ready_rows for threads, and how a thread waits: first with its
// hands on the wheel, then letting others run, at last asleep, so that more threads than cores still get on.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "base/aligned.hpp"

namespace wale::cpu {

/// `Limit`: looks at a counter before a wait is given up; with the sleep below the default is above an hour.
template <std::uint32_t Limit = 1u << 26>
struct ready_rows_sync {
    /// One cache line each: a counter is written by one thread and polled by another.
    struct alignas(base::cache_line) word {
        std::uint32_t value = 0;
    };
    static constexpr std::uint32_t spin_limit = Limit;

    static std::uint32_t fetch_add(word* w) { return at(w).fetch_add(1, std::memory_order_relaxed); }
    static std::uint32_t load_acquire(word* w) { return at(w).load(std::memory_order_acquire); }
    static std::uint32_t load_relaxed(word* w) { return at(w).load(std::memory_order_relaxed); }
    static void store_release(word* w, std::uint32_t v) { at(w).store(v, std::memory_order_release); }
    static void store_relaxed(word* w, std::uint32_t v) { at(w).store(v, std::memory_order_relaxed); }
    static void pause(std::uint32_t spins) {
        if (spins < 1024) return;
        if (spins < 16384)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }

private:
    static std::atomic_ref<std::uint32_t> at(word* w) { return std::atomic_ref<std::uint32_t>(w->value); }
};

}  // namespace wale::cpu
