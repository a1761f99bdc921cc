// fragments - launches the kernel for matrices in registers.
#include "solvers/lu/factor/cuda/batched/fragments.cuh"

#include <algorithm>

#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {
namespace {

template <int Row>
void launch(const cuda::context& c, const factor_work<double>& work, bool staged) {
    using f = fragment<Row>;
    const std::size_t bytes = sizeof(double) * f::groups * f::elements;
    const index_t blocks = std::min<index_t>((work.count + f::groups - 1) / f::groups, INT_MAX);
    factor_fragments<Row>
        <<<static_cast<unsigned>(blocks), f::policy.threads, bytes, c.stream()>>>(work, staged);
    cuda::check_launch();
}

}  // namespace

void launch_fragments(const cuda::context& c, const factor_work<double>& work, int policy, bool staged) {
    tuning::with_number<std::size(fragment_policies)>(static_cast<std::size_t>(policy),
                                                      [&]<int Row>() { launch<Row>(c, work, staged); });
}

}  // namespace wale::lu::batched
