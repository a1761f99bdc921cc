// ready_tasks - tasks that a thread takes when all that they read is there: a thread that waits has taken
// nothing, so that a thread without a processor delays its own task alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>
#include <wale/layout.hpp>

#include "cpu/poll.hpp"
#include "cpu/ready_rows_sync.hpp"
#include "schedule/wait.hpp"

namespace wale::cpu {

/// Tasks 0 .. count - 1, in an order in which each depends on tasks before it alone.
///
/// Who does what: a thread takes the lowest task that is ready and not taken. What it waits for: that a task
/// is ready, or that all are taken. Why it cannot deadlock: all tasks before the lowest unfinished one are
/// done, so that one is ready; a thread that runs has taken it, or the next thread that looks takes it. Why
/// this order: `ready` acquires what the tasks before released; who takes a task follows from one exchange,
/// which hands over no data.
class ready_tasks {
public:
    explicit ready_tasks(index_t count) : taken_(static_cast<std::size_t>(count)) {}

    /// The next task for this thread; -1 when all are taken or the wait of a thread ran out (failed()).
    /// ready(task): whether the task may begin; stays true. end(): no task from this one on is ready. help():
    /// does work for a thread that waits; false where there is none.
    template <class Ready, class End, class Help>
    index_t take(const Ready& ready, const End& end, const Help& help) {
        poll();
        index_t task = -1;
        std::uint32_t idle = 0;
        const auto found = [&] {
            task = take_ready(ready, end());
            return task >= 0 || first_.load(std::memory_order_relaxed) == size();
        };
        const auto gives_up = [&](std::uint32_t) {
            if (!help()) return schedule::shared_bound<sync>{&failed_}(idle++);
            idle = 0;
            return false;
        };
        return schedule::wait_until(found, gives_up) ? task : -1;
    }
    [[nodiscard]] bool failed() { return sync::load_relaxed(&failed_) != 0; }

private:
    using sync = ready_rows_sync<>;

    [[nodiscard]] index_t size() const { return std::ssize(taken_); }
    std::atomic<bool>& taken(index_t task) { return taken_[static_cast<std::size_t>(task)]; }

    template <class Ready>
    index_t take_ready(const Ready& ready, index_t end) {
        const index_t known = first_.load(std::memory_order_relaxed);
        index_t first = known;
        while (first < end && taken(first).load(std::memory_order_relaxed)) ++first;
        // A thread that is late may set a lower number, from which the next thread counts on.
        if (first != known) first_.store(first, std::memory_order_relaxed);
        for (index_t t = first; t < end; ++t)
            if (!taken(t).load(std::memory_order_relaxed) && ready(t) &&
                !taken(t).exchange(true, std::memory_order_relaxed))
                return t;
        return -1;
    }

    std::vector<std::atomic<bool>> taken_;
    alignas(base::cache_line) std::atomic<index_t> first_ = 0;  // all tasks before are taken
    sync::word failed_;
};

}  // namespace wale::cpu
