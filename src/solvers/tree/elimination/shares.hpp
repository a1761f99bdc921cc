// shares - which systems a thread takes: fixed runs. Systems do not touch each other, so that the bits do not
// depend on the cut.
#pragma once

#include <algorithm>
#include <vector>

#include "base/aligned.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
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
        pieces_ = static_cast<index_t>(unknowns / at_once) + 1;
        const double enough = unknowns / chosen_chain_threads.unknowns_a_thread;
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
            const index_t begin = parts * rank / threads_, end = parts * (rank + 1) / threads_;
            const index_t step = std::max(index_t{1}, parts / pieces_);
            for (index_t at = begin; at < end; at += step) {
                if (at > begin) cpu::poll();
                work(at, std::min(end, at + step), seen[static_cast<std::size_t>(rank)]);
            }
        });
        for (const verdict& v : seen) v.report(result);
        result.run.threads = threads_;
        result.run.device = cpu::instruction_set();
    }

private:
    static constexpr double at_once = 1 << 22;  // unknowns between two polls
    index_t pieces_ = 1;
    int threads_ = 1;
};

}  // namespace wale::tree
