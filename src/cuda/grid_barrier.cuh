// grid_barrier - no block of a cooperative launch passes before all have arrived.
#pragma once

#include "cuda/wait.cuh"

namespace wale::cuda {

/// Who does what: thread 0 of every block counts itself in, and polls. What it waits for: the count of all
/// blocks times the number of waits; the count only grows, so no reset can be missed. Why it cannot
/// deadlock: a cooperative launch is refused unless all blocks are resident at once, and the polls are
/// bounded: past the bound `failed` is set, and every block that sees it leaves. Why this memory order: the
/// barrier of the block makes its writes thread 0's, the fence and the release-acquire pair on `arrived` hand
/// them to every other thread 0, and the second barrier of the block hands them to its threads.
class grid_barrier {
public:
    __device__ grid_barrier(std::uint32_t* arrived, std::uint32_t* failed)
        : arrived_(arrived), failed_(failed) {}

    /// Whether all blocks arrived; false: leave the kernel.
    __device__ bool wait() {
        due_ += gridDim.x;
        bool here = true;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(arrived_, 1u);
            const auto all = [&] { return static_cast<std::int32_t>(load_acquire(arrived_) - due_) >= 0; };
            here = wait_until(all, schedule::shared_bound<thread_sync>{failed_});
            __threadfence();
        }
        return __syncthreads_and(threadIdx.x != 0 || here) != 0;
    }

private:
    std::uint32_t* arrived_;
    std::uint32_t* failed_;
    std::uint32_t due_ = 0;
};

}  // namespace wale::cuda
