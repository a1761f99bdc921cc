// ladder - what the host rows without pivots share: cpu/row_column, cpu/row_column_copy, cpu/blocked.
#pragma once

#include <numeric>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/factor/shared/tuning.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {

[[nodiscard]] inline int ladder_threads(const factor_job& job) {
    const auto n = static_cast<double>(job.a.largest([](const matrices& m) { return m.diagonal(); }));
    const double useful = n * n / chosen_ladder.elements_a_thread;
    return cpu::team_size(std::get<on_cpu>(job.where).threads, static_cast<long long>(std::min(useful, 1e6)));
}

/// Pivots, outcome and report.
inline void finish_ladder(factor_job& job, int threads, index_t steps) {
    for (index_t i = 0; job.out.pivots && i < job.a.count(); ++i)
        std::iota(job.out.pivots + job.a.pivot_start(i),
                  job.out.pivots + job.a.pivot_start(i) + job.a[i].diagonal(), 0);
    report& run = job.result->run;
    run.threads = threads;
    run.device = cpu::instruction_set();
    run.iterations = steps;
    finish(job);
}

}  // namespace wale::lu
