// cluster - the blocks of one cluster by their PTX names: rank, barrier, and words that are stored in another
// block's shared memory and counted there.
#pragma once

#include <cstdint>

#include "cuda/wait.cuh"

namespace wale::lu {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool has_clusters = false;
#else
inline constexpr bool has_clusters = true;
#endif

__device__ inline std::uint32_t shared_address(const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

/// The address of the same word in block `rank`.
__device__ inline std::uint32_t in_block(std::uint32_t address, int rank) {
    std::uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}
template <class T>
__device__ T* in_block(T* p, int rank) {
    T* there;
    asm volatile("mapa.u64 %0,%1,%2;" : "=l"(there) : "l"(p), "r"(rank));
    return there;
}
/// What this thread stored before is visible to all threads of the cluster after cluster_wait().
__device__ inline void cluster_arrive() {
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ inline void cluster_wait() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// A counter of bytes in shared memory: a phase ends when as many bytes have come as were announced.
struct byte_counter {
    __device__ static void begin(std::uint32_t at) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0],1;" ::"r"(at) : "memory");
    }
    __device__ static void publish_begin() {
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __device__ static void expect(std::uint32_t at, int bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _,[%0],%1;" ::"r"(at), "r"(bytes) : "memory");
    }
    /// Polls at most `limit` times; each poll waits in hardware for up to a microsecond or so.
    __device__ static bool wait(std::uint32_t at, std::uint32_t parity, std::uint32_t limit) {
        const auto arrived = [&] {
            std::uint32_t done;
            asm volatile(
                "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p,[%1],%2;\n"
                "selp.u32 %0,1,0,p;\n}"
                : "=r"(done)
                : "r"(at), "r"(parity)
                : "memory");
            return done != 0;
        };
        return cuda::wait_until(arrived, cuda::own_bound{limit});
    }
};
/// Stores 16 bytes in another block and counts them there.
__device__ inline void send(std::uint32_t to, uint4 v, std::uint32_t counter) {
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0],{%1,%2,%3,%4},[%5];" ::"r"(to),
        "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "r"(counter)
        : "memory");
}

#else  // The row refuses such devices; the code must compile for them.

__device__ inline std::uint32_t in_block(std::uint32_t address, int) {
    return address;
}
template <class T>
__device__ T* in_block(T* p, int) {
    return p;
}
__device__ inline void cluster_arrive() {}
__device__ inline void cluster_wait() {}
struct byte_counter {
    __device__ static void begin(std::uint32_t) {}
    __device__ static void publish_begin() {}
    __device__ static void expect(std::uint32_t, int) {}
    __device__ static bool wait(std::uint32_t, std::uint32_t, std::uint32_t) { return false; }
};
__device__ inline void send(std::uint32_t, uint4, std::uint32_t) {}

#endif

}  // namespace wale::lu
