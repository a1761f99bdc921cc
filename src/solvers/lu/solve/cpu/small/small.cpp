// small - cpu/small: threads take runs of systems; each is solved in one core's cache.
#include "solvers/lu/small/small.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/small/systems.hpp"

namespace wale::lu {
namespace {

/// Whether systems share vectors. Asks nothing of threads: it decides about bits.
bool in_lanes(const solve_job& job) {
    if (job.is_complex())
        return complex_in_lanes(job.b.type(), job.factors.largest_rows(),
                                job.factors.listed() || job.b.listed(), job.b.count());
    const auto& policy = small_solves(job.b.type());
    if (job.factors.listed() || job.b.listed()) return false;
    const index_t rows = job.factors.uniform().rows, columns = job.b.uniform().columns;
    return job.b.count() >= small_limits(job.b.type()).lanes_batch && rows <= policy.lanes_largest &&
           (columns <= policy.lanes_columns || rows * (rows + columns) <= policy.lanes_elements);
}

index_t scratch_elements(const solve_job& job) {
    const index_t n = job.factors.largest_rows(), columns = job.b.largest_columns();
    if (in_lanes(job)) return n * (n + columns) * small_lanes(job.b.type());
    if (job.is_complex()) {
        const index_t few = few_complex_pitch(n) * (small_solve_rows + 1);
        if (few_complex_sides(job.factors.largest_rows(), columns) && !job.factors.listed()) return few;
        return std::max(few, n * (small_plane(n) + small_plane(columns)) + small_plane(n));
    }
    const auto layout = small_system_scratch::of(n, columns, job.b.type());
    // Of a list, some matrices may be so large that their sides are few, and others not.
    const bool few = few_sides(n, columns, job.b.type()) && !job.factors.listed() && !job.b.listed();
    return few ? layout.few_elements() : std::max(layout.elements(), layout.few_elements());
}

/// Right-hand sides of a system that are solved for together, so that threads may share the system: as many
/// as the vector code takes at once, which no thread's part changes. 0: all.
index_t sides_together(const solve_job& job) {
    if (job.factors.listed() || job.b.listed() || in_lanes(job)) return 0;
    const index_t rows = job.factors.uniform().rows, columns = job.b.uniform().columns;
    const scalar type = job.b.type();
    if (job.is_complex()) return few_complex_sides(rows, columns) ? small_solve_rows : 0;
    if (!few_sides(rows, columns, type)) return 0;
    return is_large(rows, type) ? 2 * small_solve_rows : small_solve_rows;
}

/// Columns from `first` on, at most `most` of them.
matrices columns_of(matrices b, index_t first, index_t most) {
    b.data = static_cast<char*>(b.data) + first * b.column_step() * bytes_of(b.type);
    b.columns = std::min(most, b.columns - first);
    return b;
}

/// Tasks begin to end - 1: systems, of each its `groups` of sides_together().
void solve_run(const solve_job& job, index_t begin, index_t end, index_t groups) {
    const small_workspace memory(scratch_elements(job) * bytes_of(job.b.type()));
    const bool lanes = in_lanes(job);
    const index_t at_once = lanes ? small_lanes(job.b.type()) : 1;
    cpu::rare_poll poll(16);
    for (index_t task = begin; task < end; task += at_once) {
        const index_t i = task / groups;
        poll();
        small_system one{
            .factors = job.factors[i],
            .pivots = job.pivots ? job.pivots + job.factors.pivot_start(i) : nullptr,
            .b = groups == 1 ? job.b[i]
                             : columns_of(job.b[i], task % groups * sides_together(job), sides_together(job)),
            .transposed = job.transposed,
            .conjugated = job.conjugated,
            .scratch = memory.data()};
        if (one.b.rows == 0 || one.b.columns == 0) continue;
        one.factors.count = one.b.count = std::min(at_once, end - task);
        if (lanes)
            small_solve_lanes(one);
        else if (job.is_complex())
            small_solve_complex(one);
        else
            small_solve(one);
    }
}

bool suits_small(const solve_job& job) {
    const index_t rows = job.factors.largest_rows();
    if (job.is_complex())
        return rows <= small_limits(job.b.type()).complex_largest ||
               (rows <= small_solves(job.b.type()).rows_few &&
                few_complex_sides(rows, job.b.largest_columns()));
    const auto& policy = small_solves(job.b.type());
    const index_t columns = job.b.largest_columns();
    if (in_lanes(job)) return true;
    if (rows <= policy.rows_few && columns <= policy.columns_few) return true;
    if (rows <= policy.rows_largest && columns <= policy.few) return true;
    const bool many = rows >= policy.rows_many && rows * columns <= policy.elements_many &&
                      (policy.rows_side_by_side || !job.b[0].row_major());
    return rows <= small_limits(job.b.type()).largest && (columns <= policy.columns_many || many);
}

void solve_small(solve_job& job) {
    const index_t count = job.b.count();
    const double work = 2 * static_cast<double>(count) * static_cast<double>(job.factors.largest_rows()) *
                        static_cast<double>(job.factors.largest_rows()) *
                        static_cast<double>(job.b.largest_columns());
    const index_t together = sides_together(job), columns = job.b.largest_columns();
    const index_t groups = together == 0 || columns == 0 ? 1 : (columns + together - 1) / together;
    const index_t tasks = count * groups;
    const int threads = cpu::team_size(
        job.where,
        std::min<long long>(tasks, static_cast<long long>(work / small_limits(job.b.type()).thread_work)));
    cpu::run_team(threads, [&](int rank) {
        solve_run(job, tasks * rank / threads, tasks * (rank + 1) / threads, groups);
    });
    report& run = job.result->run;
    run.device = cpu::instruction_set();
    run.threads = threads;
    run.policy = in_lanes(job) ? "lanes" : "one by one";
}

}  // namespace

extern constinit const catalogue::row<solve_job> solve_cpu_small{
    "cpu/small", "in one core's cache: blocks in registers, systems to threads",
    solve_small, nullptr,
    suits_small, true};

}  // namespace wale::lu
