// scratch_pool - one pool for each device, made at its first use.
#include <mutex>
#include <vector>

#include "cuda/stream.cuh"

namespace wale::cuda {

cudaMemPool_t scratch_pool(int device) {
    static std::mutex guard;
    static std::vector<cudaMemPool_t> pools;
    const std::lock_guard lock(guard);
    const auto at = static_cast<std::size_t>(device);
    if (pools.size() <= at) pools.resize(at + 1);
    if (pools[at] == nullptr) {
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location = {cudaMemLocationTypeDevice, device};
        check(cudaMemPoolCreate(&pools[at], &properties));
        std::uint64_t kept = kept_scratch;
        check(cudaMemPoolSetAttribute(pools[at], cudaMemPoolAttrReleaseThreshold, &kept));
    }
    return pools[at];
}

}  // namespace wale::cuda
