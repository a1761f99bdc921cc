// ready_rows - how workers that do not start together share rows of tiles whose tiles depend on the row
// above: a ticket hands out rows, one monotone counter a row says how many of its tiles are done. One text
// for CUDA blocks, CPU threads and the exhaustive model test; `Sync` brings the atomics and the idea of
// waiting.
//
// Who:   a worker takes the next row by ticket, goes through its tiles from left to right, publishes each.
// Waits: before tile t of row r for ready[r-1] >= what the geometry says (schedule/skewed_tiles.hpp).
// Why no deadlock: tickets are handed out in row order, so the owner of row r-1 has started when row r's
// owner
//        asks, and the lowest unfinished row waits for nobody; whatever the number of resident workers.
// Why this order: publish is a release and wait an acquire, so the tile's cells are seen with its count.
// Every wait is bounded: past the bound it raises `failed`, and all workers leave.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

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
        for (std::uint32_t spins = 0; Sync::load_acquire(ready + row) < count; ++spins)
            if (!go_on_waiting(spins)) return false;
        return true;
    }
    /// The same; while it waits the worker calls help(), which returns whether there was work.
    template <class F>
    bool wait(int row, std::uint32_t count, const F& help) const {
        for (std::uint32_t spins = 0; Sync::load_acquire(ready + row) < count;)
            if (help())
                spins = 0;
            else if (!go_on_waiting(spins++))
                return false;
        return true;
    }

    /// `count` tiles of `row` are done, and everything that this worker wrote before is to be seen.
    WALE_HD void publish(int row, std::uint32_t count) const { Sync::store_release(ready + row, count); }

private:
    WALE_HD bool go_on_waiting(std::uint32_t spins) const {
        if (spins >= Sync::spin_limit) Sync::store_relaxed(failed, 1);
        if (spins % 256 == 0 && Sync::load_relaxed(failed) != 0) return false;
        Sync::pause(spins);
        return true;
    }
};

}  // namespace wale::schedule
