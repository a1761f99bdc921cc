// slices - a batch on the threads of a job, and the rows that do one pair of a batch.
#pragma once

#include <algorithm>
#include <atomic>

#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

/// Calls work(first, last) for slices of the pairs, on the threads of the job; fills in run->threads.
template <class Work>
void for_slices(const batch_job& job, index_t slice, const Work& work) {
    const index_t slices = base::ceil_div(job.count, slice);
    std::atomic<index_t> next{0};
    job.run->threads = cpu::team_size(job.where, slices);
    job.run->device = cpu::instruction_set();
    cpu::run_team(job.run->threads, [&](int) {
        for (index_t i = next++; i < slices; i = next++) {
            cpu::poll();
            work(i * slice, std::min(job.count, (i + 1) * slice));
        }
    });
}

/// A table for single pairs as its rows stand now: loading the plugin may grow the table during a batch.
template <class Job>
class pair_rows {
public:
    pair_rows(const catalogue::table<Job>& all, backend where) {
        for (const catalogue::row<Job>& r : all.rows)
            if (r.where == where) rows_.push_back(r);
    }
    /// By the first row that suits: length, or distance with a bound as edit_distance_job has it. No row of
    /// the host refuses a pair.
    [[nodiscard]] std::int32_t answer(const execution& where, const decltype(Job::a)& a,
                                      const decltype(Job::b)& b, index_t bound = -1) const {
        report ignored;
        Job pair;
        pair.where = where;
        pair.a = a;
        pair.b = b;
        pair.run = &ignored;
        if constexpr (requires { pair.bound; }) pair.bound = bound;
        for (const catalogue::row<Job>& r : rows_)
            if (!r.suits || r.suits(pair)) {
                r.run(pair);
                break;
            }
        if constexpr (requires { pair.distance; })
            return static_cast<std::int32_t>(pair.distance);
        else
            return static_cast<std::int32_t>(pair.length);
    }

private:
    std::vector<catalogue::row<Job>> rows_;
};

}  // namespace wale::wavefront
