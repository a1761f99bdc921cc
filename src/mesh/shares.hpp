// shares - loops over the items of a mesh by all threads, each with a contiguous share.
#pragma once

#include <atomic>
#include <wale/matrix.hpp>

#include "cpu/poll.hpp"
#include "cpu/team.hpp"

namespace wale::meshes {

/// work(first, last) of each thread's share of `items`.
template <class Work>
void each_share(index_t items, const Work& work) {
    constexpr index_t worth_a_thread = 8192;
    const int threads = cpu::team_size(0, items / worth_a_thread);
    cpu::run_team(threads, [&](int rank) { work(items * rank / threads, items * (rank + 1) / threads); });
}

/// The first item for which is_bad(item), or -1: the same for any number of threads. Items behind a bad one
/// may not have been asked.
template <class IsBad>
[[nodiscard]] index_t first_bad(index_t items, const IsBad& is_bad) {
    std::atomic<index_t> first{items};
    each_share(items, [&](index_t from, index_t to) {
        cpu::rare_poll poll(1 << 14);
        for (index_t i = from; i < to; ++i, poll()) {
            if (!is_bad(i)) continue;
            for (index_t now = first; i < now && !first.compare_exchange_weak(now, i);) {
            }
            return;
        }
    });
    return first < items ? first.load() : -1;
}

}  // namespace wale::meshes
