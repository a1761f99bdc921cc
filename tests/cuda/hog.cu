// hog - see hog.hpp. A hog ends by the device's clock, so that no hog outlives its test for long.
#include "cuda/hog.hpp"

namespace wale::agreement {
namespace {

__device__ unsigned long long nanoseconds() {
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void hold(unsigned long long length) {
    const unsigned long long begin = nanoseconds();
    while (nanoseconds() - begin < length) {
    }
}

}  // namespace

cudaError_t queue_hog(int blocks, int threads, int shared, double milliseconds, cudaStream_t stream) {
    int device = 0, multiprocessors = 0;
    if (const cudaError_t e = cudaGetDevice(&device); e != cudaSuccess) return e;
    if (const cudaError_t e =
            cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        e != cudaSuccess)
        return e;
    if (const cudaError_t e = cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
        e != cudaSuccess)
        return e;
    hold<<<static_cast<unsigned>(blocks * multiprocessors), static_cast<unsigned>(threads),
           static_cast<std::size_t>(shared), stream>>>(static_cast<unsigned long long>(1e6 * milliseconds));
    return cudaGetLastError();
}

}  // namespace wale::agreement
