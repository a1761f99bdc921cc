#include "cpu/team.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>
#include <wale/execution.hpp>

#include "base/threads.hpp"

namespace wale::cpu {

int team_size(int asked, long long useful) {
    base::check_threads("threads", asked);
    const int wanted = asked > 0 ? asked : available_threads();
    return static_cast<int>(std::clamp<long long>(useful, 1, wanted));
}

void run_team(int size, const std::function<void(int rank)>& work) {
    if (size == 1) return work(0);
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(size));
    const auto guarded = [&](int rank) {
        try {
            work(rank);
        } catch (...) {
            thrown[static_cast<std::size_t>(rank)] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        others.reserve(static_cast<std::size_t>(size));
        for (int rank = 1; rank < size; ++rank) others.emplace_back(guarded, rank);
        guarded(0);
    }
    for (const std::exception_ptr& e : thrown)
        if (e) std::rethrow_exception(e);
}

}  // namespace wale::cpu
