// block - which part of a tile a thread has, words between the threads of a block, and the blocks of a
// cluster, which have the rows of a tile one after the other.
#pragma once

#include <cstdint>

#include "wale/layout.hpp"

namespace wale::tree::one_pass {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool has_clusters = false;
#else
inline constexpr bool has_clusters = true;
#endif

/// The same word in block `rank` of the cluster.
template <class T>
__device__ T* in_block(T* own, int rank) {
    std::uint64_t there = reinterpret_cast<std::uint64_t>(own);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("mapa.u64 %0,%1,%2;" : "=l"(there) : "l"(there), "r"(rank));
#else
    (void)rank;
#endif
    return reinterpret_cast<T*>(there);
}
/// All threads of the cluster; what they stored before is visible to all of them after.
__device__ inline void cluster_barrier() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

struct place_in_tile {
    int thread, lane, chunk;     // chunk: of this block
    int threads, lanes, chunks;  // of this block
    int rank, ranks;             // of the cluster
};

/// Words [count][Words][threads], so that neighbouring threads have neighbouring words.
template <class T, int Words>
struct words_between {
    T* room;
    int threads;
    __device__ T& at(int number, int word, int thread) const {
        return room[(number * Words + word) * threads + thread];
    }
};

}  // namespace wale::tree::one_pass
