// row_team - threads that take bands of tiles by ticket and wait for the band above: schedule::ready_rows at
// work.
#pragma once

#include <vector>
#include <wale/error.hpp>
#include <wale/layout.hpp>

#include "cpu/ready_rows_sync.hpp"
#include "cpu/team.hpp"
#include "schedule/ready_rows.hpp"

namespace wale::cpu {

/// What one band is to a worker: call wait_above(n) before reading what n tiles of the band above wrote, and
/// done(n) when n tiles of this band are finished. wait_above is false when a wait ran out: leave then.
class band {
public:
    using protocol = schedule::ready_rows<ready_rows_sync<>>;
    band(const protocol& rows, int number) : rows_(rows), number_(number) {}
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool wait_above(index_t tiles) const {
        return number_ == 0 || rows_.wait(number_ - 1, static_cast<std::uint32_t>(tiles));
    }
    void done(index_t tiles) const { rows_.publish(number_, static_cast<std::uint32_t>(tiles)); }

private:
    const protocol& rows_;
    int number_;
};

/// Calls make(), once on each of `threads` threads, then its result for band after band (of `bands`) that the
/// thread gets. What `work` throws stops all and is thrown here.
///
/// Who does what: a thread takes the lowest band not yet taken. What it waits for: tiles of the band above.
/// Why it cannot deadlock: that band was taken before, by a thread that runs, and the lowest unfinished band
/// does not wait. Why this order: done() releases the cells of the tiles, wait_above() acquires them.
template <class Make>
void run_bands(int threads, int bands, const Make& make) {
    using sync = ready_rows_sync<>;
    std::vector<sync::word> words(static_cast<std::size_t>(bands) + 2);
    const band::protocol rows{&words[0], words.data() + 2, &words[1]};
    run_team(threads, [&](int) {
        auto work = make();
        for (int r = rows.take(bands); r >= 0; r = rows.take(bands)) {
            work(band(rows, r));
            if (sync::load_relaxed(rows.failed) != 0) return;
        }
    });
    if (words[1].value != 0) throw error("a wait for the row of tiles above ran out");
}

}  // namespace wale::cpu
