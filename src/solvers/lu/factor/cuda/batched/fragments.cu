// fragments - launches the kernel for matrices in registers.
#include "solvers/lu/factor/cuda/batched/fragments.cuh"

#include <algorithm>

#include "solvers/lu/factor/cuda/batched/launch.cuh"

namespace wale::lu::batched {
namespace {

template <class T, int Row>
void launch(const cuda::context& c, const factor_work<T>& work, bool staged) {
    using f = fragment<Row>;
    const std::size_t bytes = sizeof(T) * f::groups * f::elements;
    const index_t blocks = std::min<index_t>((work.count + f::groups - 1) / f::groups, INT_MAX);
    factor_fragments<T, Row>
        <<<static_cast<unsigned>(blocks), f::policy.threads, bytes, c.stream()>>>(work, staged);
    cuda::check_launch();
}

}  // namespace

template <class T>
void launch_fragments(const cuda::context& c, const factor_work<T>& work, int policy, bool staged) {
    tuning::with_row<std::size(fragment_policies)>(static_cast<std::size_t>(policy), [&]<int Row>() {
        if constexpr (fragment_policies[Row].element_size == sizeof(T)) launch<T, Row>(c, work, staged);
    });
}

template void launch_fragments(const cuda::context&, const factor_work<float>&, int, bool);
template void launch_fragments(const cuda::context&, const factor_work<double>&, int, bool);

}  // namespace wale::lu::batched
