#include "cpu/team.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>
#include <vector>
#include <wale/execution.hpp>

#include "base/pool.hpp"
#include "base/threads.hpp"

namespace wale::cpu {
namespace {

/// What the ranks of one team share.
struct team {
    team(int size, const team* around, const std::function<void(int rank)>& job)
        : work(job), thrown(static_cast<std::size_t>(size)), outer(around) {}

    const std::function<void(int rank)>& work;
    std::vector<std::exception_ptr> thrown;  // [rank]
    std::atomic<bool> stopped = false;       // a rank threw
    const team* const outer;                 // the team whose rank called run_team, or null
};

/// The innermost team of this thread; null outside of all teams.
thread_local const team* own_team = nullptr;

/// What a waiting rank throws because another rank stopped the team. The exception of that other rank is the
/// one that the caller gets.
struct team_stopped {};

/// Runs one rank; what the rank throws stops its team.
void run_rank(team& mine, int rank) noexcept {
    const team* const before = std::exchange(own_team, &mine);
    try {
        mine.work(rank);
    } catch (const team_stopped&) {
        mine.stopped.store(true, std::memory_order_relaxed);
    } catch (...) {
        mine.thrown[static_cast<std::size_t>(rank)] = std::current_exception();
        mine.stopped.store(true, std::memory_order_relaxed);
    }
    own_team = before;
}

}  // namespace

int team_size(int asked, long long useful) {
    base::check_threads("threads", asked);
    if (useful <= 1) return 1;
    const int wanted = asked > 0 ? asked : available_threads();
    return static_cast<int>(std::clamp<long long>(useful, 1, wanted));
}

void leave_stopped_team() {
    for (const team* t = own_team; t; t = t->outer)
        if (t->stopped.load(std::memory_order_relaxed)) throw team_stopped{};
}

void run_team(int size, const std::function<void(int rank)>& work) {
    if (size == 1) return work(0);
    team mine(size, own_team, work);
    base::run_on_pool(
        size, [](void* t, int rank) { run_rank(*static_cast<team*>(t), rank); }, &mine);
    for (const std::exception_ptr& e : mine.thrown)
        if (e) std::rethrow_exception(e);
    if (mine.stopped) throw team_stopped{};
}

}  // namespace wale::cpu
