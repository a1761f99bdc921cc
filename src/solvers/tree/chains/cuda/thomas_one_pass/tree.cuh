// tree - the ends of all chunks. Neighbours join in a binary tree in shared memory, the blocks of a cluster
// one after the other, and the values go the same way back: nested dissection. Every unknown is computed
// once; cyclic reduction in parallel, where each comes from an elimination of its own, leaves unknowns of
// ill-conditioned chains that do not fit each other (backward errors of 1e-11 were seen so).
#pragma once

#include <cstdint>

#include "solvers/tree/chains/cuda/thomas_one_pass/chunk.cuh"
#include "wale/layout.hpp"

namespace wale::tree::one_pass {

// Which part of a tile a thread has, words between the threads of a block, and the blocks of a cluster,
// which have the rows of a tile one after the other.
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

/// S: a struct of T alone.
template <class T, class S>
inline constexpr int words_in = static_cast<int>(sizeof(S) / sizeof(T));

/// Ends: plain_ends or pivoted_ends.
template <class T, class Ends, int Words, int Lanes>
class tree_of_chunks {
    using rows = typename Ends::rows;
    using joint = typename Ends::joint;
    using step = typename Ends::step;
    using values = end_values<T>;
    static constexpr int of_rows = words_in<T, rows>, of_joint = words_in<T, joint>,
                         of_step = words_in<T, step>, of_values = words_in<T, values>;
    /// Of a chunk: its rows, then a joint, then values. Of a block of a cluster: its rows, then a step.
    using slots = words_between<T, (of_rows > of_joint ? of_rows : of_joint), Words, Lanes>;
    using block_slots = words_between<T, (of_rows > of_step ? of_rows : of_step), Words, Lanes>;
    static_assert(of_values <= of_rows);

public:
    /// Words of a block's shared memory; a cluster's blocks hold two tiles.
    [[nodiscard]] static WALE_HD int words(int chunks, int ranks) {
        return chunks * slots::of_chunk + (ranks > 1 ? 2 * ranks * block_slots::of_chunk : 0);
    }
    __device__ tree_of_chunks(T* memory, const place_in_tile& at)
        : at_(at), slots_{memory}, blocks_(memory + at.chunks * slots::of_chunk) {}

    /// Every thread of the block, and of the cluster. Bit w: a pivot of system w was bad here.
    template <class Chunk>
    __device__ unsigned run(Chunk (&c)[Words]) {
        rows own[Words];
        values value[Words];
        unsigned bad = 0;
#pragma unroll
        for (int w = 0; w < Words; ++w) own[w] = c[w].outside();
        int top = 1;
        for (; top < at_.chunks; top *= 2) bad |= climb(top, own);
        bad |= meet(own, value);
        for (int s = top / 2; s >= 1; s /= 2) descend(s, value);
#pragma unroll
        for (int w = 0; w < Words; ++w) c[w].join(value[w]);
        return bad;
    }

private:
    template <class Slots, class S>
    __device__ void put(const Slots& to, int w, int chunk, const S& s) const {
        T all[words_in<T, S>];
        memcpy(all, &s, sizeof s);
#pragma unroll
        for (int k = 0; k < words_in<T, S>; ++k) to.at(k, w, chunk, at_.lane) = all[k];
    }
    template <class S, class Slots>
    [[nodiscard]] __device__ S get(const Slots& from, int w, int chunk) const {
        T all[words_in<T, S>];
#pragma unroll
        for (int k = 0; k < words_in<T, S>; ++k) all[k] = from.at(k, w, chunk, at_.lane);
        S s;
        memcpy(&s, all, sizeof s);
        return s;
    }

    /// Chunks s apart join: the right one hands its rows over and keeps the joint.
    __device__ unsigned climb(int s, rows (&own)[Words]) const {
        const int in_pair = at_.chunk % (2 * s), partner = at_.chunk + s;
        if (in_pair == s)
#pragma unroll
            for (int w = 0; w < Words; ++w) put(slots_, w, at_.chunk, own[w]);
        __syncthreads();
        unsigned bad = 0;
        if (in_pair != 0 || partner >= at_.chunks) return bad;
#pragma unroll
        for (int w = 0; w < Words; ++w) {
            const rows other = get<rows>(slots_, w, partner);
            const bool known = Ends::are_nan(own[w]) || Ends::are_nan(other);  // and noted where it began
            joint j;
            if (!Ends::join(own[w], other, j) && !known) bad |= 1u << w;
            put(slots_, w, partner, j);
        }
        return bad;
    }
    /// The values of both to each of the two.
    __device__ void descend(int s, values (&value)[Words]) const {
        const int in_pair = at_.chunk % (2 * s), partner = at_.chunk + s;
        if (in_pair == 0 && partner < at_.chunks)
#pragma unroll
            for (int w = 0; w < Words; ++w) {
                values other;
                Ends::part(get<joint>(slots_, w, partner), value[w], other);
                put(slots_, w, partner, other);
            }
        __syncthreads();
        if (in_pair == s)
#pragma unroll
            for (int w = 0; w < Words; ++w) value[w] = get<values>(slots_, w, at_.chunk);
    }

    // Who does what: the first chunk's threads of each block of a cluster store the block's rows into every
    // block's shared memory; then each block walks through all of them, the same steps with the same bits.
    // They wait at the cluster's barrier for all blocks of the cluster. That ends because the hardware starts
    // the blocks of a cluster together and all of them take the same tiles. The barrier releases the stores
    // before it and acquires them for the loads after it; rows of the next tile go to the other half, which
    // all have read before they arrive at the next barrier.
    __device__ unsigned meet(const rows (&own)[Words], values (&value)[Words]) {
        const block_slots half{blocks_ + (odd_tile_ ? at_.ranks * block_slots::of_chunk : 0)};
        odd_tile_ = !odd_tile_;
        if (at_.ranks == 1) {
            __syncthreads();  // also where no chunks join: the kernel counts on a barrier a tile
        } else {
            if (at_.chunk == 0)
                for (int k = 0; k < at_.ranks; ++k)
#pragma unroll
                    for (int w = 0; w < Words; ++w)
                        put(block_slots{in_block(half.memory, k)}, w, at_.rank, own[w]);
            cluster_barrier();
        }
        unsigned bad = 0;
        if (at_.chunk != 0) return bad;
#pragma unroll
        for (int w = 0; w < Words; ++w) {
            const bool known = Ends::are_nan(own[w]);
            const bool good = at_.ranks == 1 ? Ends::alone(own[w], value[w]) : walk(half, w, value[w]);
            if (!good && !known) bad |= 1u << w;
        }
        return bad;
    }
    /// Only this thread reads and writes these words of its own block.
    __device__ bool walk(const block_slots& blocks, int w, values& value) const {
        typename Ends::carry carry = Ends::begin();
        bool good = true;
        for (int k = 0; k < at_.ranks; ++k) {
            step s;
            good = Ends::advance(carry, get<rows>(blocks, w, k), s) && good;
            put(blocks, w, k, s);
        }
        good = Ends::end(carry, value) && good;
        for (int k = at_.ranks - 1; k >= at_.rank; --k) Ends::retreat(get<step>(blocks, w, k), value);
        return good;
    }

    place_in_tile at_;
    slots slots_;
    T* blocks_;
    bool odd_tile_ = false;
};

}  // namespace wale::tree::one_pass
