// small - cpu/small: threads take runs of matrices; each matrix is factored in one core's cache.
#include "solvers/lu/factor/small/small.hpp"

#include <atomic>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/factor/cpu.hpp"
#include "solvers/lu/factor/small/tuning.hpp"
#include "solvers/lu/factor/small/workspace.hpp"

namespace wale::lu {
namespace {

double operations(const matrix_shape& m) {
    return 2.0 / 3 * static_cast<double>(m.diagonal()) * static_cast<double>(m.rows) *
           static_cast<double>(m.columns);
}

index_t factor_run(const factor_job& job, index_t begin, index_t end, void* scratch) {
    index_t moved = 0;
    for (index_t i = begin; i < end; ++i) {
        small_factor one{.a = job.a[i], .pivoting = job.pivoting == pivoting::partial, .scratch = scratch};
        if (one.a.diagonal() == 0) continue;
        if (job.out.pivots) one.pivots = job.out.pivots + job.a.pivot_start(i);
        if (job.smallest_pivot) one.smallest_pivot = job.smallest_pivot[i];
        moved += factor_small_matrix(one);
    }
    return moved;
}

}  // namespace

bool suits_small(const factor_job& job) {
    const auto& policy = small_limits(job.a.type());
    return job.a.largest_rows() <= policy.largest && job.a.largest_columns() <= policy.largest;
}

void factor_small(factor_job& job) {
    const index_t count = job.a.count();
    const double work = static_cast<double>(count) * static_cast<double>(job.a.largest([](const matrices& m) {
                            return static_cast<index_t>(operations(m));
                        }));
    const auto* cpu = std::get_if<on_cpu>(&job.where);
    const int threads = cpu::team_size(
        cpu ? cpu->threads : 1,
        std::min<long long>(count, static_cast<long long>(work / small_limits(job.a.type()).thread_work)));
    std::atomic<index_t> moved{0};
    const index_t scratch = job.a.largest([](const matrices& m) { return small_scratch::of(m).elements(); });
    const auto work_on = [&](int rank) {
        const small_workspace memory(scratch * bytes_of(job.a.type()));
        moved += factor_run(job, count * rank / threads, count * (rank + 1) / threads, memory.data());
    };
    if (threads == 1)
        work_on(0);
    else
        cpu::run_team(threads, work_on);
    report& run = job.result->run;
    run.device = cpu::instruction_set();
    run.threads = threads;
    job.result->perturbed += moved;
    finish(job);
}

}  // namespace wale::lu
