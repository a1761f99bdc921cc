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

/// Asks for 4 or 8 bytes, or makes them 0 where nothing is wanted: then `from` may be anywhere.
template <class Word>
__device__ void copy_async(Word* shared, const void* from, bool wanted) {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    // By a predicate: a number of bytes known at run time only becomes a tree of branches.
    asm volatile(
        "{\n.reg .pred skip;\nsetp.eq.u32 skip,%2,0;\n"
        "cp.async.ca.shared.global [%0],[%1],%3,skip;\n}" ::"r"(
            static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))),
        "l"(from), "r"(static_cast<std::uint32_t>(wanted)), "n"(sizeof(Word))
        : "memory");
#else
    *shared = wanted ? *static_cast<const Word*>(from) : Word{};
#endif
}

struct place_in_tile {
    int lane, chunk;  // of this thread; chunk: of this block
    int chunks;       // of this block
    int rank, ranks;  // of the cluster
};

/// Count words of each of Words systems for each lane of each chunk, or block: neighbouring lanes have
/// neighbouring words, and a thread's places are constants apart.
template <class T, int Count, int Words, int Lanes>
struct words_between {
    static constexpr int of_chunk = Count * Words * Lanes;
    T* memory;
    __device__ T& at(int number, int word, int chunk, int lane) const {
        return memory[chunk * of_chunk + (number * Words + word) * Lanes + lane];
    }
};

}  // namespace wale::tree::one_pass
