// strips - launches the kernel for float32 matrices of at most 128 rows and columns.
#include <algorithm>

#include "solvers/lu/factor/cuda/batched/strips_kernel.cuh"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {
namespace {

template <int Row>
void launch(const cuda::context& c, const factor_work<float>& work, int columns, bool by_row) {
    using s = strips<Row>;
    constexpr unsigned ordinary = 0x7e000000u;  // FLT_MIN to below 2^126
    const int width = (columns + strip - 1) / strip * strip;
    const strip_launch how{width, work.smallest_pivot == nullptr ? ordinary : 0, by_row};
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(s::groups) *
                              static_cast<std::size_t>(strip_workspace<Row>::words(width));
    const auto kernel = factor_strips<Row>;
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    // A grid holds 2^31 - 1 blocks; more matrices than that do not fit into the memory of a device.
    const index_t blocks = std::min<index_t>((work.count + s::groups - 1) / s::groups, INT_MAX);
    kernel<<<static_cast<unsigned>(blocks), s::policy.threads, bytes, c.stream()>>>(work, how);
    cuda::check_launch();
}

}  // namespace

void launch_strips(const cuda::context& c, const factor_work<float>& work, int policy, int columns,
                   bool by_row) {
    if (work.count == 0) return;
    tuning::with_number<std::size(strip_policies)>(static_cast<std::size_t>(policy),
                                                   [&]<int Row>() { launch<Row>(c, work, columns, by_row); });
}

}  // namespace wale::lu::batched
