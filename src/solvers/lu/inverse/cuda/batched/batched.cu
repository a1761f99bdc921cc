// batched - launches the kernel for matrices of like size together.
#include "solvers/lu/inverse/cuda/batched/batched.cuh"

#include <optional>

#include "solvers/lu/inverse/cuda/rows.hpp"
#include "solvers/lu/solve/cuda/batched/sizes.cuh"

namespace wale::lu {
namespace batched {
namespace {

constexpr index_t most_scratch = index_t{1} << 30;  // bytes

template <class T>
void launch(const cuda::context& c, inverse_work<T> work, const size_class& s) {
    work.rows = s.rows;
    work.columns = s.columns();
    const auto bytes = strip_memory<T>(s.rows, work.columns, s.warps()).bytes();
    const auto kernel = invert<T>;
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    int resident = 0;
    cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, 32 * s.warps(), bytes));
    index_t blocks =
        std::min<index_t>(work.count, static_cast<index_t>(std::max(resident, 1)) * c.multiprocessors());
    const index_t elements = static_cast<index_t>(s.rows) * s.rows;
    const bool one_strip = s.rows <= work.columns;
    if (!one_strip) blocks = std::clamp<index_t>(most_scratch / (elements * index_t{sizeof(T)}), 1, blocks);
    const cuda::scratch<T> scratch(c, one_strip ? 0 : blocks * elements);
    work.scratch = scratch.data();
    kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(32 * s.warps()), bytes, c.stream()>>>(work);
    cuda::check_launch();
}

template <class T>
void invert_all(const cuda::context& c, const inverse_job& job, const std::vector<size_class>& classes) {
    const batch_on_device<T> all(c, job.a);
    order_on_device order(c, classes);
    for (const size_class& s : classes) {
        const inverse_work<T> work{all.get(), job.pivots, order.take(s), s.count(job.a.count())};
        if (s.rows > 0) launch(c, work, s);
    }
}

}  // namespace
}  // namespace batched

std::string refuses_inverse_batched(const inverse_job& job) {
    return job.a.largest_rows() > batched::most_solved_rows ? "more than 1024 rows" : "";
}

bool suits_inverse_batched(const inverse_job& job) {
    return batched::suits_batch(job.a.largest_rows(), job.a.count());
}

void inverse_batched(inverse_job& job) {
    const cuda::context c(job.where);
    const auto classes = batched::size_classes(job.a, [&](index_t i) { return job.a[i].rows; });
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    with_type(job.a.type(), [&](auto zero) { batched::invert_all<decltype(zero)>(c, job, classes); });
    if (timer) job.result->run.compute_seconds = timer->stop();
    job.result->run.iterations = std::ssize(classes);
    if (!classes.empty()) job.result->run.policy = classes.back().text();
}

}  // namespace wale::lu
