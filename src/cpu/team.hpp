// team - a few threads of the pool that work on one thing: plain std::thread, so that ThreadSanitizer sees
// everything and a forked child of a Python program still works (docs/reference/decisions.md).
#pragma once

#include <functional>
#include <wale/execution.hpp>

namespace wale::cpu {

/// Threads to use: `asked`, or all available for 0; never more than `useful`, at least 1.
[[nodiscard]] int team_size(int asked, long long useful);
/// The same for a job of the host; 1 elsewhere.
[[nodiscard]] inline int team_size(const execution& where, long long useful) {
    const on_cpu* host = std::get_if<on_cpu>(&where);
    return team_size(host ? host->threads : 1, useful);
}

/// Calls work(rank) for rank = 0..size-1, rank 0 on the calling thread; returns when all are done and
/// rethrows the exception of the lowest rank that threw. A rank that throws ends the waits of all others.
/// Where the system refuses a thread: out_of_memory before any rank begins.
void run_team(int size, const std::function<void(int rank)>& work);

/// Every wait of a rank for another rank calls this while it waits. Returns where all ranks of the thread's
/// team, and of the teams around that team, may still come; else ends the calling rank by an exception that
/// only run_team catches.
void leave_stopped_team();

}  // namespace wale::cpu
