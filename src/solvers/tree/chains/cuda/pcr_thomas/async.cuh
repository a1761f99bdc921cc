// async - copies from device into shared memory that run on while the threads compute (sm_80 and on).
#pragma once

#include "cuda/check.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/geometry.hpp"

namespace wale::tree::pcr_thomas {

[[nodiscard]] __device__ inline unsigned char* block_memory() {
    extern __shared__ __align__(16) unsigned char pcr_thomas_memory[];
    return pcr_thomas_memory;
}

/// 4, 8 or 16 bytes.
template <int Bytes>
__device__ inline void copy_async(void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int i = 0; i < Bytes; i += 4)
        *reinterpret_cast<unsigned*>(static_cast<char*>(to) + i) =
            *reinterpret_cast<const unsigned*>(static_cast<const char*>(from) + i);
#else
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (Bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(shared), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0],[%1],%2;" ::"r"(shared), "l"(from), "n"(Bytes)
                     : "memory");
#endif
}

/// All copies of this thread have arrived.
__device__ inline void copies_arrived() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Of the block, or of its only warp.
template <reach Far>
__device__ inline void wait_for_all() {
    if constexpr (Far == reach::warp)
        __syncwarp();
    else
        __syncthreads();
}

/// Whether any of them says so.
template <reach Far>
[[nodiscard]] __device__ inline bool any_of_all(bool mine) {
    if constexpr (Far == reach::warp)
        return __any_sync(0xffffffffu, mine);
    else
        return __syncthreads_or(mine);
}

/// All threads of the cluster have come here, and what they wrote before is seen.
__device__ inline void wait_for_cluster() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
#endif
}

/// Writes to the same place in the shared memory of block `block` of the cluster.
template <class T>
__device__ inline void store_remote(T* place, [[maybe_unused]] int block, T value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    const auto here = static_cast<unsigned>(__cvta_generic_to_shared(place));
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(there) : "r"(here), "r"(block));
    if constexpr (sizeof(T) == 4)
        asm volatile("st.shared::cluster.f32 [%0],%1;" ::"r"(there), "f"(value) : "memory");
    else
        asm volatile("st.shared::cluster.f64 [%0],%1;" ::"r"(there), "d"(value) : "memory");
#else
    *place = value;
#endif
}

}  // namespace wale::tree::pcr_thomas
