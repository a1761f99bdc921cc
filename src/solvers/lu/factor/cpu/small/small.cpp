// small - cpu/small: threads take runs of matrices; each matrix is factored in one core's cache.
#include "solvers/lu/small/small.hpp"

#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/factor/shared/refusals.hpp"
#include "solvers/lu/small/tuning.hpp"

namespace wale::lu {
namespace {

double operations(const matrix_shape& m) {
    return 2.0 / 3 * static_cast<double>(m.diagonal()) * static_cast<double>(m.rows) *
           static_cast<double>(m.columns);
}

/// What a thread adds up over its matrices.
struct tally {
    index_t moved = 0;
    batch_outcome found;
    void add(const tally& next) {
        moved += next.moved;
        found.add(next.found);
    }
};

/// Whether matrices share vectors. Asks nothing of threads: it decides about bits.
bool in_lanes(const factor_job& job) {
    if (job.is_complex())
        return complex_in_lanes(job.a.type(), std::max(job.a.largest_rows(), job.a.largest_columns()),
                                job.a.listed(), job.a.count());
    const auto& policy = small_limits(job.a.type());
    return !job.a.listed() && job.a.count() >= policy.lanes_batch &&
           job.a.uniform().rows <= policy.lanes_largest && job.a.uniform().columns <= policy.lanes_largest;
}

index_t scratch_elements(const factor_job& job) {
    if (in_lanes(job)) return job.a.uniform().rows * job.a.uniform().columns * small_lanes(job.a.type());
    if (job.is_complex())
        return job.a.largest([](const matrices& m) { return m.rows * small_plane(m.columns); });
    return job.a.largest([](const matrices& m) { return small_scratch::of(m).elements(); });
}

index_t factor_singly(const factor_job& job, index_t begin, index_t end, void* scratch) {
    index_t moved = 0;
    for (index_t i = begin; i < end; ++i) {
        small_factor one{.a = job.a[i], .pivoting = job.pivoting == pivoting::partial, .scratch = scratch};
        if (one.a.diagonal() == 0) continue;
        if (job.out.pivots) one.pivots = job.out.pivots + job.a.pivot_start(i);
        if (job.smallest_pivot) one.smallest_pivot = job.smallest_pivot[i];
        moved += job.is_complex() ? factor_small_complex(one) : factor_small_matrix(one);
    }
    return moved;
}

index_t factor_in_lanes(const factor_job& job, index_t begin, index_t end, void* scratch) {
    index_t moved = 0;
    const index_t lanes = small_lanes(job.a.type());
    for (index_t i = begin; i < end; i += lanes) {
        small_group group{.a = job.a[i], .pivoting = job.pivoting == pivoting::partial, .scratch = scratch};
        group.a.count = std::min(lanes, end - i);
        if (group.a.diagonal() == 0) return 0;
        if (job.out.pivots) group.pivots = job.out.pivots + job.a.pivot_start(i);
        if (job.smallest_pivot) group.smallest_pivots = job.smallest_pivot + i;
        moved += factor_small_group(group);
    }
    return moved;
}

/// Matrices from `begin` to `end`, some at a time: what follows from factors is read off while they are in
/// cache.
tally factor_run(const factor_job& job, index_t begin, index_t end) {
    const small_workspace memory(scratch_elements(job) * bytes_of(job.a.type()));
    const auto factor = in_lanes(job) ? factor_in_lanes : factor_singly;
    const index_t at_once = job.a.listed() ? end - begin : small_limits(job.a.type()).at_once;
    tally sum;
    for (index_t i = begin; i < end; i += at_once) {
        const index_t next = std::min(end, i + at_once);
        cpu::poll();
        sum.moved += factor(job, i, next, memory.data());
        sum.found.add(finish_matrices(job, i, next));
    }
    return sum;
}

bool suits_small(const factor_job& job) {
    const auto& policy = small_limits(job.a.type());
    const index_t rows = job.a.largest_rows(), columns = job.a.largest_columns();
    if (!job.is_complex() && rows <= policy.tall && columns <= policy.narrow && columns <= rows) return true;
    const index_t largest = job.is_complex() ? policy.complex_largest : policy.largest;
    return rows <= largest && columns <= largest;
}

void factor_small(factor_job& job) {
    const index_t count = job.a.count();
    const double work = static_cast<double>(count) * static_cast<double>(job.a.largest([](const matrices& m) {
                            return static_cast<index_t>(operations(m));
                        }));
    const int threads = cpu::team_size(
        job.where,
        std::min<long long>(count, static_cast<long long>(work / small_limits(job.a.type()).thread_work)));
    tally all;
    if (threads == 1) {
        all = factor_run(job, 0, count);
    } else {
        std::vector<tally> sums(static_cast<std::size_t>(threads));
        cpu::run_team(threads, [&](int rank) {
            sums[static_cast<std::size_t>(rank)] =
                factor_run(job, count * rank / threads, count * (rank + 1) / threads);
        });
        for (const tally& sum : sums) all.add(sum);
    }
    report& run = job.result->run;
    run.device = cpu::instruction_set();
    run.threads = threads;
    run.policy = in_lanes(job) ? "lanes" : "panels";
    job.result->perturbed += all.moved;
    report_outcome(job, all.found);
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cpu_small{
    "cpu/small",  "in one core's cache: panels and tiles in registers, matrices to threads",
    factor_small, refuses_tournament,
    suits_small,  true};

}  // namespace wale::lu
