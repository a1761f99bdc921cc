// columns - a block a strip of right-hand sides, one column of the factors after the other.
#include "solvers/lu/cuda/columns.cuh"

#include <optional>

namespace wale::lu {
namespace {

void solve_columns(solve_job& job) {
    const cuda::context c(job.where);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    cuda::with_device_type(job.factors.type(), [&](auto zero) {
        using T = decltype(zero);
        const batch_on_device<const T> factors(c, job.factors);
        const batch_on_device<T> b(c, job.b);
        columns::queue_solve<T>(c, {factors.get(), b.get(), job.pivots, job.transposed, job.conjugated},
                                job.factors.largest_rows(), job.b.largest_columns());
    });
    if (timer) job.result->run.compute_seconds = timer->stop();
    job.result->run.iterations = 1;
}

bool suits_columns(const solve_job& job) {
    return job.is_complex();
}

}  // namespace

extern constinit const catalogue::row<solve_job> solve_cuda_columns{
    "cuda/columns", "complex numbers too: a block a strip of right-hand sides, column by column",
    solve_columns,  nullptr,
    suits_columns,  true};

}  // namespace wale::lu
