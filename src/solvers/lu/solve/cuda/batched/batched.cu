// batched - launches the kernel for matrices of like size together.
#include "solvers/lu/solve/cuda/batched/batched.cuh"

#include <optional>

#include "solvers/lu/solve/cuda/batched/sizes.cuh"
#include "solvers/lu/solve/cuda/rows.hpp"

namespace wale::lu {
namespace batched {
namespace {

template <class T>
void launch(const cuda::context& c, solve_work<T> work, const size_class& s) {
    constexpr index_t most_blocks_y = 65535;
    work.rows = s.rows;
    work.columns = s.columns();
    const auto bytes = strip_memory<T>(s.rows, work.columns, s.warps()).bytes();
    const auto kernel = solve_strips<T>;
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    const index_t strips = std::min((s.right_sides + work.columns - 1) / work.columns, most_blocks_y);
    const dim3 blocks(static_cast<unsigned>(std::min<index_t>(work.count, INT_MAX)),
                      static_cast<unsigned>(strips));
    kernel<<<blocks, static_cast<unsigned>(32 * s.warps()), bytes, c.stream()>>>(work);
    cuda::check_launch();
}

template <class T>
void solve_all(const cuda::context& c, const solve_job& job, const std::vector<size_class>& classes) {
    const batch_on_device<const T> factors(c, job.factors);
    const batch_on_device<T> b(c, job.b);
    order_on_device order(c, classes);
    for (const size_class& s : classes) {
        solve_work<T> work{factors.get(), b.get(), job.pivots, order.take(s), s.count(job.factors.count())};
        work.transposed = job.transposed;
        if (s.rows > 0 && s.right_sides > 0) launch(c, work, s);
    }
}

}  // namespace
}  // namespace batched

std::string refuses_solve_batched(const solve_job& job) {
    return job.factors.largest_rows() > batched::most_solved_rows ? "more than 1024 rows" : "";
}

bool suits_solve_batched(const solve_job& job) {
    return batched::suits_batch(job.factors.largest_rows(), job.factors.count());
}

void solve_batched(solve_job& job) {
    const cuda::context c(job.where);
    const auto classes = batched::size_classes(job.factors, [&](index_t i) { return job.b[i].columns; });
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    with_type(job.factors.type(), [&](auto zero) { batched::solve_all<decltype(zero)>(c, job, classes); });
    if (timer) job.result->run.compute_seconds = timer->stop();
    job.result->run.iterations = std::ssize(classes);
    if (!classes.empty()) job.result->run.policy = classes.back().text();
}

}  // namespace wale::lu
