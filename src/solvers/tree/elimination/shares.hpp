// shares - which systems a thread takes: fixed runs. Systems do not touch each other, so that the bits do not
// depend on the cut.
#pragma once

#include <algorithm>
#include <vector>

#include "base/aligned.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/tree/elimination/cpu_tuning.hpp"
#include "solvers/tree/problem.hpp"

namespace wale::tree {

[[nodiscard]] inline index_t largest_size(const vector_shape& v) {
    if (!v.ragged()) return v.count == 0 ? 0 : v.size;
    index_t most = 0;
    for (index_t s = 0; s < v.count; ++s) most = std::max(most, v.size_of(s));
    return most;
}

class thread_shares {
public:
    /// At most `parts` threads; `unknowns` in all.
    thread_shares(const execution& where, index_t parts, double unknowns) {
        const double enough = unknowns / chosen_chain_threads().unknowns_a_thread;
        threads_ =
            cpu::team_size(where, static_cast<long long>(std::min(static_cast<double>(parts), enough)));
    }
    [[nodiscard]] int threads() const { return threads_; }

    /// work(begin, end, verdict) on every thread for its run of `parts` of equal work; notes are gathered in
    /// `result`.
    template <class Work>
    void run(index_t parts, std::int64_t* status, tridiagonal_result& result, const Work& work) const {
        std::vector<verdict> seen(static_cast<std::size_t>(threads_), verdict{status});
        cpu::run_team(threads_, [&](int rank) {
            work(parts * rank / threads_, parts * (rank + 1) / threads_,
                 seen[static_cast<std::size_t>(rank)]);
        });
        for (const verdict& v : seen) v.report(result);
        result.run.threads = threads_;
        result.run.device = cpu::instruction_set();
    }

private:
    int threads_ = 1;
};

}  // namespace wale::tree
