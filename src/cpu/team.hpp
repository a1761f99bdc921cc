// team - a few threads that work on one thing and are joined: plain std::thread, so that ThreadSanitizer sees
// everything and a forked child of a Python program still works (docs/reference/decisions.md).
#pragma once

#include <functional>

namespace wale::cpu {

/// Threads to use: `asked`, or all available for 0; never more than `useful`, at least 1.
[[nodiscard]] int team_size(int asked, long long useful);

/// Calls work(rank) for rank = 0..size-1, rank 0 on the calling thread; returns when all are done and
/// rethrows the exception of the lowest rank that threw.
void run_team(int size, const std::function<void(int rank)>& work);

}  // namespace wale::cpu
