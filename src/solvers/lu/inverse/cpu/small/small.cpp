// small - cpu/small: threads take runs of matrices; each is inverted in one core's cache.
#include "solvers/lu/small/small.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/small/systems.hpp"

namespace wale::lu {
namespace {

/// Whether matrices share vectors. Asks nothing of threads: it decides about bits.
bool in_lanes(const inverse_job& job) {
    if (job.is_complex())
        return complex_in_lanes(job.a.type(), job.a.largest_rows(), job.a.listed(), job.a.count());
    return !job.a.listed() && job.a.count() >= small_limits(job.a.type()).lanes_batch &&
           job.a.uniform().rows <= small_solves(job.a.type()).lanes_inverse;
}

void invert_run(const inverse_job& job, index_t begin, index_t end) {
    const index_t n = job.a.largest_rows();
    const bool lanes = in_lanes(job);
    const index_t at_once = lanes ? small_lanes(job.a.type()) : 1;
    const index_t scratch = lanes              ? 2 * n * n * at_once
                            : job.is_complex() ? 2 * n * small_plane(n)
                                               : small_system_scratch::of(n, n, job.a.type()).elements();
    const small_workspace memory(scratch * bytes_of(job.a.type()));
    cpu::rare_poll poll(16);
    for (index_t i = begin; i < end; i += at_once) {
        poll();
        matrices some = job.a[i];
        if (some.rows == 0) continue;
        some.count = std::min(at_once, end - i);
        const std::int32_t* pivots = job.pivots ? job.pivots + job.a.pivot_start(i) : nullptr;
        if (lanes)
            small_invert_lanes(some, pivots, memory.data());
        else if (job.is_complex())
            small_invert_complex(some, pivots, memory.data());
        else
            small_invert(some, pivots, memory.data());
    }
}

bool suits_small(const inverse_job& job) {
    const auto& limits = small_limits(job.a.type());
    const auto& policy = small_solves(job.a.type());
    const index_t real =
        job.a.count() >= policy.inverse_batch ? policy.largest_inverses : policy.largest_inverse;
    return job.a.largest_rows() <= (job.is_complex() ? limits.complex_largest : real);
}

void invert_small(inverse_job& job) {
    const index_t count = job.a.count();
    const auto n = static_cast<double>(job.a.largest_rows());
    const auto useful = static_cast<long long>(static_cast<double>(count) * n * n * n /
                                               small_limits(job.a.type()).thread_work);
    const int threads = cpu::team_size(job.where, std::min<long long>(count, useful));
    cpu::run_team(threads,
                  [&](int rank) { invert_run(job, count * rank / threads, count * (rank + 1) / threads); });
    report& run = job.result->run;
    run.device = cpu::instruction_set();
    run.threads = threads;
    run.policy = in_lanes(job) ? "lanes" : "one by one";
}

}  // namespace

extern constinit const catalogue::row<inverse_job> inverse_cpu_small{
    "cpu/small",  "in one core's cache: blocks in registers, matrices to threads",
    invert_small, nullptr,
    suits_small,  true};

}  // namespace wale::lu
