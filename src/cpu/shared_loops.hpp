// shared_loops - parallel loops inside a task of a team: the owner of a loop runs it, and threads that would
// otherwise only wait take chunks of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/aligned.hpp"

namespace wale::cpu {

/// One slot for each thread that may own a loop. Loops of different owners run side by side.
///
/// Who does what: the owner publishes a loop, then owner and helpers claim chunks one by one. What it waits
/// for: the owner, for chunks that helpers claimed; a helper waits for nothing. Why it cannot deadlock: a
/// chunk waits for nothing. Why this order: the loop's fields are released with `state` and acquired with a
/// claim; a claim succeeds only while a chunk is not done, so the owner has not left the loop; `done`
/// releases what a chunk wrote and the owner acquires it.
class shared_loops {
public:
    static constexpr int most_chunks = 0xffff;

    explicit shared_loops(int owners) : slots_(static_cast<std::size_t>(owners)) {}

    /// Chunks that give every thread work while some are late.
    [[nodiscard]] int wanted_chunks() const {
        return slots_.size() == 1 ? 1
                                  : static_cast<int>(std::min<std::size_t>(2 * slots_.size(), most_chunks));
    }

    /// Calls body(i) for i = 0 .. count - 1, at most most_chunks, in any order and on several threads. `body`
    /// neither waits nor throws.
    template <class F>
    void run(int owner, int count, const F& body) {
        if (slots_.size() == 1 || count == 1) {
            for (int i = 0; i < count; ++i) body(i);
            return;
        }
        slot& own = slots_[static_cast<std::size_t>(owner)];
        own.call = [](const void* f, int i) { (*static_cast<const F*>(f))(i); };
        own.body = &body;
        own.done.store(0, std::memory_order_relaxed);
        const std::uint64_t epoch = (own.state.load(std::memory_order_relaxed) >> 32) + 1;
        own.state.store(epoch << 32 | static_cast<std::uint64_t>(count) << 16, std::memory_order_release);
        while (take_chunk(own)) continue;
        const auto all = static_cast<std::uint32_t>(count);
        // Not by pause(): where another rank has thrown, pause() would unwind this frame, and a helper may
        // still be in `body`. A claimed chunk ends by itself, since it neither waits nor throws.
        // Who yields early may be without a processor for milliseconds; a chunk takes less.
        constexpr int polls = 1 << 15;
        for (int spins = 0; own.done.load(std::memory_order_acquire) != all; ++spins) {
            if (spins < polls) continue;
            std::this_thread::yield();
            spins = polls;
        }
    }

    /// Runs a chunk of any loop, those of the lowest owner first; false where there is none.
    bool help() {
        for (slot& s : slots_)
            if (take_chunk(s)) return true;
        return false;
    }

private:
    struct alignas(base::cache_line) slot {
        std::atomic<std::uint64_t> state = 0;  // number of the loop, its chunks (16 bits), those claimed (16)
        void (*call)(const void*, int) = nullptr;
        const void* body = nullptr;
        alignas(base::cache_line) std::atomic<std::uint32_t> done = 0;  // chunks
    };

    static bool take_chunk(slot& s) {
        std::uint64_t now = s.state.load(std::memory_order_relaxed);
        do {
            if ((now & 0xffff) >= (now >> 16 & 0xffff)) return false;
        } while (!s.state.compare_exchange_weak(now, now + 1, std::memory_order_acquire,
                                                std::memory_order_relaxed));
        s.call(s.body, static_cast<int>(now & 0xffff));
        s.done.fetch_add(1, std::memory_order_release);
        return true;
    }

    std::vector<slot> slots_;
};

}  // namespace wale::cpu
