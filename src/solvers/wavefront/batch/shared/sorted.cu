// sorted - by CUB.
#include "solvers/wavefront/batch/shared/sorted.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace wale::wavefront::batch {

sorted::sorted(const cuda::context& c, int bits, const cuda::scratch<std::uint32_t>& keys,
               const cuda::scratch<std::uint32_t>& numbers)
    : numbers_(c, keys.size()) {
    const cuda::scratch<std::uint32_t> sorted_keys(c, keys.size());
    const auto sort = [&](void* workspace, std::size_t& bytes) {
        cuda::check(cub::DeviceRadixSort::SortPairs(workspace, bytes, keys.data(), sorted_keys.data(),
                                                    numbers.data(), numbers_.data(), keys.size(), 0, bits,
                                                    c.stream()));
    };
    std::size_t bytes = 0;
    sort(nullptr, bytes);
    const cuda::scratch<char> workspace(c, static_cast<index_t>(bytes) + 1);
    sort(workspace.data(), bytes);
}

}  // namespace wale::wavefront::batch
