// panels - launches the kernel for a block a matrix.
#include "solvers/lu/factor/cuda/batched/panels.cuh"

#include <algorithm>

#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {
namespace {

template <class T, class F>
decltype(auto) with_policy(int policy, F&& f) {
    return tuning::with_number<std::size(panel_policies)>(static_cast<std::size_t>(policy), [&]<int Row>() {
        if constexpr (panel_policies[Row].element_size == sizeof(T)) f.template operator()<Row>();
    });
}

template <class T, int Row>
void launch(const cuda::context& c, const factor_work<T>& work, int rows, int columns) {
    constexpr panel_policy p = panel_policies[Row].policy;
    const auto bytes = panel_memory<T, Row>(rows, columns).bytes();
    const auto kernel = factor_panels<T, Row>;
    cuda::launch_limits::permit(c, kernel, bytes);
    const int threads = std::clamp((std::max(rows, columns) + 31) / 32 * 32, 32, p.threads);
    const int resident = cuda::launch_limits::blocks(c, kernel, threads, bytes);
    const index_t blocks =
        std::min<index_t>(work.count, static_cast<index_t>(std::max(resident, 1)) * c.multiprocessors());
    kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), bytes, c.stream()>>>(work, rows,
                                                                                                 columns);
    cuda::check_launch();
}

}  // namespace

template <class T>
void launch_panels(const cuda::context& c, const factor_work<T>& work, int policy, int rows, int columns) {
    with_policy<T>(policy, [&]<int Row>() { launch<T, Row>(c, work, rows, columns); });
}

template void launch_panels(const cuda::context&, const factor_work<float>&, int, int, int);
template void launch_panels(const cuda::context&, const factor_work<double>&, int, int, int);

}  // namespace wale::lu::batched
