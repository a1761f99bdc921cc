// tasks - independent parts of a job for a team of threads, each with memory of its own. Which thread does
// which part makes no difference to the parts.
#pragma once

#include <atomic>

#include "cpu/blas.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/cpu/scratch.hpp"

namespace wale::lu {

/// work(task, memory) for task = 0..tasks-1.
template <class T, class Work>
void for_tasks(int threads, index_t tasks, const Work& work) {
    std::atomic<index_t> next{0};
    cpu::run_team(threads, [&](int) {
        const cpu::blas::on_this_thread one;
        scratch<T> memory;
        for (index_t t = next.fetch_add(1, std::memory_order_relaxed); t < tasks;
             t = next.fetch_add(1, std::memory_order_relaxed))
            work(t, memory);
    });
}

}  // namespace wale::lu
