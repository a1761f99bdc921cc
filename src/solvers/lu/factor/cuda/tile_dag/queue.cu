// queue - chooses the kernel and how many blocks.
#include "solvers/lu/factor/cuda/tile_dag/queue.cuh"

#include "tuning/override.hpp"

namespace wale::lu::tile_dag {
namespace {

template <class T>
std::size_t tuned_row(const cuda::context& c) {
    return tuning::choose("lu/factor/tile_dag", policies, c.sm(), int{sizeof(T)});
}

template <class T>
std::size_t bytes_of_row(std::size_t row) {
    std::size_t bytes = 0;
    tuning::with_row<policies, sizeof(T)>(
        row, [&]<int Row>() { bytes = sizeof(workplace<T, policies[Row].policy.stages>); });
    return bytes;
}

template <class T, class F>
void with_kernel(std::size_t row, bool unit_upper, F&& f) {
    tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() {
        if (unit_upper)
            f(tiles_kernel<T, Row, true>);
        else
            f(tiles_kernel<T, Row, false>);
    });
}

}  // namespace

template <class T>
launcher<T>::launcher(const cuda::context& c) : row_(tuned_row<T>(c)) {
    const std::size_t bytes = bytes_of_row<T>(row_);
    const policy& p = policies[row_].policy;
    for (const bool unit_upper : {false, true})
        with_kernel<T>(row_, unit_upper, [&](auto kernel) {
            const int each = cuda::launch_limits::blocks(c, kernel, threads, bytes);
            resident_ = std::max(1, std::min(each, p.blocks) * c.multiprocessors());
        });
    const auto most = static_cast<int>(tuning::overridden("lu/factor/tile_dag_blocks", 1 << 20, 0));
    if (most > 0) resident_ = std::min(resident_, most);
}

template <class T>
void launcher<T>::queue(const tile_problem<T>& p, bool unit_upper, cudaStream_t stream, int most) const {
    const index_t tasks = p.dag().count();
    if (tasks == 0) return;
    const int limit = most > 0 ? std::min(most, resident_) : resident_;
    const auto blocks = static_cast<unsigned>(std::min<index_t>(tasks, limit));
    with_kernel<T>(row_, unit_upper, [&](auto kernel) {
        kernel<<<blocks, threads, bytes_of_row<T>(row_), stream>>>(p);
        cuda::check_launch();
    });
}

template <class T>
std::string launcher<T>::policy_text() const {
    const policy& p = policies[row_].policy;
    return "tile=" + std::to_string(tile) + " stages=" + std::to_string(p.stages) +
           " blocks=" + std::to_string(resident_);
}

template class launcher<float>;
template class launcher<double>;

bool fits_device(const factor_job& job) {
    const cuda::context on(job.where);
    const int offered = on.facts().shared_per_block;
    const std::size_t bytes = with_type(
        job.a.type(), [&](auto zero) { return bytes_of_row<decltype(zero)>(tuned_row<decltype(zero)>(on)); });
    return bytes <= static_cast<std::size_t>(offered);
}

}  // namespace wale::lu::tile_dag
