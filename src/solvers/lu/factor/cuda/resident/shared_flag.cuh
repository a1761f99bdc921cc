// shared_flag - a flag in shared memory between the warps of a block.
//
// A flag that is raised once: an mbarrier that one lane arrives at. Its arrival is a release in the block's
// scope that does not wait for stores to global memory, as a fence would. Before compute capability 8.0 there
// are none: a word and fences.
#pragma once

#include "solvers/lu/factor/cuda/resident/packets.cuh"

namespace wale::lu::resident {

__device__ inline void lower_flag(std::uint64_t* flag, bool used_before) {
#if __CUDA_ARCH__ >= 800
    if (used_before)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(flag)) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0],1;" ::"r"(shared_address(flag)) : "memory");
#else
    *flag = 0;
#endif
}
__device__ inline void raise(std::uint64_t* flag) {
    __syncwarp();
    if (threadIdx.x % 32 != 0) return;
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state,[%0]; }" ::"r"(shared_address(flag))
        : "memory");
#else
    __threadfence_block();
    *static_cast<volatile std::uint64_t*>(flag) = 1;
#endif
}
__device__ inline void await(const std::uint64_t* flag, cuda::wait_budget& wait) {
    std::uint32_t up = 0;
    do {
#if __CUDA_ARCH__ >= 800
        asm volatile(
            "{ .reg .pred up; mbarrier.test_wait.parity.shared::cta.b64 up,[%1],0; selp.u32 %0,1,0,up; }"
            : "=r"(up)
            : "r"(shared_address(flag))
            : "memory");
#else
        up = *static_cast<const volatile std::uint64_t*>(flag) != 0;
#endif
    } while (up == 0 && !wait.spend());
#if __CUDA_ARCH__ < 800
    __threadfence_block();
#endif
    __syncwarp();
}

}  // namespace wale::lu::resident
