// ready_rows - how workers that do not start together share rows of tiles whose tiles depend on the row
// above: a ticket hands out rows, one monotone counter a row says how many of its tiles are done. One text
// for CUDA blocks, CPU threads and the exhaustive model test; `Sync` brings the atomics and the idea of
// waiting.
//
// Who:   a worker takes the next row by ticket, goes through its tiles from left to right, publishes each.
// Waits: before tile t of row r for ready[r-1] >= what the geometry says (schedule/skewed_tiles.hpp).
// Why no deadlock: tickets are handed out in row order, so the owner of row r-1 has started when the owner of
//        row r asks, and the lowest unfinished row waits for no other; whatever the number of resident
//        workers. Every wait is bounded (schedule/wait.hpp).
// Why this order: publish is a release and wait an acquire, so the tile's cells are seen with its count.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "schedule/wait.hpp"

namespace wale::schedule {

/// Sync: using word (an atomic-capable 32-bit integer); static fetch_add(word*), load_acquire(word*),
/// load_relaxed(word*), store_release(word*, v), store_relaxed(word*, v), pause(spins); static spin_limit.
template <class Sync>
struct ready_rows {
    using word = typename Sync::word;
    word* ticket;  // 0 before the start
    word* ready;   // one for each row, 0 before the start
    word* failed;  // 0 before the start

    /// The next row, or -1 when all are taken.
    WALE_HD int take(int rows) const {
        const auto row = static_cast<std::int64_t>(Sync::fetch_add(ticket));
        return row < rows ? static_cast<int>(row) : -1;
    }

    /// Waits until `count` tiles of `row` are done; false: gave up, or another worker did. Leave then.
    WALE_HD bool wait(int row, std::uint32_t count) const {
        return wait_until([&] { return Sync::load_acquire(ready + row) >= count; },
                          shared_bound<Sync>{failed});
    }
    /// The same; while it waits the worker calls help(), which returns whether there was work.
    template <class F>
    bool wait(int row, std::uint32_t count, const F& help) const {
        std::uint32_t idle = 0;
        return wait_until([&] { return Sync::load_acquire(ready + row) >= count; },
                          [&](std::uint32_t) {
                              if (!help()) return shared_bound<Sync>{failed}(idle++);
                              idle = 0;
                              return false;
                          });
    }

    /// `count` tiles of `row` are done, and everything that this worker wrote before is to be seen.
    WALE_HD void publish(int row, std::uint32_t count) const { Sync::store_release(ready + row, count); }
};

}  // namespace wale::schedule
