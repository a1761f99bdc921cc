// words - 32 pixels of a row in a word, the leftmost in bit 0: the runs of a word, and pixels in and
// out.
#pragma once

#include <cstdint>

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction::bits {

// Union-find on the device: a word names its parent, a root itself, and the root of a set is its smallest
// member (Komura 2015; Playne & Hawick 2018).

/// Sets in global memory, one word a member. Sets of a tile have another order of words (bits.cuh).
struct plain_sets {
    std::uint32_t* parents;
    __device__ std::uint32_t* word(std::uint32_t k) const { return parents + k; }
};

/// A volatile read: another thread may change the word at any time, and every value it ever had is a member
/// of the set, not larger than k.
template <class Sets>
__device__ inline std::uint32_t parent_of(const Sets& sets, std::uint32_t k) {
    return *static_cast<const volatile std::uint32_t*>(sets.word(k));
}

/// Changes nothing: for a time when members point themselves at their roots, which a store of an older
/// ancestor would undo.
template <class Sets>
__device__ inline std::uint32_t seen_root_of(const Sets& sets, std::uint32_t k) {
    for (std::uint32_t p = parent_of(sets, k); p != k; p = parent_of(sets, k)) k = p;
    return k;
}

/// Halves the way that it goes. The word of a member that another thread joins elsewhere at this moment may
/// be overwritten with an older ancestor; join() then goes on with that ancestor, so nothing is lost.
template <class Sets>
__device__ inline std::uint32_t root_of(const Sets& sets, std::uint32_t k) {
    std::uint32_t p = parent_of(sets, k);
    while (p != k) {
        const std::uint32_t above = parent_of(sets, p);
        if (above == p) return p;
        *static_cast<volatile std::uint32_t*>(sets.word(k)) = above;
        k = above;
        p = parent_of(sets, k);
    }
    return k;
}

/// No thread waits here: a round that does not join has found a smaller member than the round before.
template <class Sets>
__device__ inline void join(const Sets& sets, std::uint32_t a, std::uint32_t b) {
    a = root_of(sets, a);
    b = root_of(sets, b);
    while (a != b) {
        if (a < b) {
            const std::uint32_t larger = b;
            b = a;
            a = larger;
        }
        const std::uint32_t before = atomicMin(sets.word(a), b);
        if (before == a) return;
        a = root_of(sets, before);
        b = root_of(sets, b);
    }
}

inline constexpr int runs_of_word = 16;  // at most

/// Bits where a run begins.
__device__ inline std::uint32_t starts_of(std::uint32_t word) {
    return word & ~(word << 1);
}
/// Number of the run that holds this bit, from the left.
__device__ inline int run_at(std::uint32_t word, int bit) {
    return __popc(starts_of(word) & (0xffffffffu >> (31 - bit))) - 1;
}
/// The run that begins at the lowest bit of `starts`: the carry stops at the first gap.
__device__ inline std::uint32_t run_from(std::uint32_t word, std::uint32_t starts) {
    const std::uint32_t first = starts & (0u - starts);
    return word & ~(word + first);
}

/// Calls f(number, bits) for every run.
template <class F>
__device__ inline void for_each_run(std::uint32_t word, const F& f) {
    int k = 0;
    for (std::uint32_t starts = starts_of(word); starts != 0; starts &= starts - 1)
        f(k++, run_from(word, starts));
}

/// Images as they are stored: words, or bytes of 0 and 1.
struct pixels {
    const void* data;
    index_t row_stride, image_stride;
    bool bytes;
    bool vectors;  // bytes: rows begin on 16 bytes
};

__device__ inline std::uint32_t bits_of_bytes(std::uint32_t four) {
    const std::uint32_t ones = __vcmpne4(four, 0) & 0x01010101u;
    return ones * 0x01020408u >> 24 & 15;
}

__device__ inline std::uint32_t packed(const std::uint8_t* from, int count, bool vectors) {
    std::uint32_t word = 0;
    if (vectors && count == 32) {
        const uint4 low = reinterpret_cast<const uint4*>(from)[0],
                    high = reinterpret_cast<const uint4*>(from)[1];
        const std::uint32_t fours[] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
        for (int k = 0; k < 8; ++k) word |= bits_of_bytes(fours[k]) << 4 * k;
        return word;
    }
    for (int k = 0; k < count; ++k) word |= (from[k] != 0 ? 1u : 0u) << k;
    return word;
}

/// Word `w` of a row as keys; zeros beyond `count` pixels.
__device__ inline std::uint32_t load_word(const pixels& from, index_t row, index_t w, int count,
                                          bool mirror) {
    const std::uint32_t word =
        from.bytes ? packed(static_cast<const std::uint8_t*>(from.data) + row + 32 * w, count, from.vectors)
                   : static_cast<const std::uint32_t*>(from.data)[row + w];
    return (mirror ? ~word : word) & (0xffffffffu >> (32 - count));
}

/// Four pixels as bytes of 0 and 1.
__device__ inline std::uint32_t bytes_of_bits(std::uint32_t four) {
    return (four & 15) * 0x00204081u & 0x01010101u;
}

/// Bits of the last word beyond the last column keep their value.
__device__ inline void store_word(const pixels& to, index_t row, index_t w, int count, std::uint32_t word) {
    if (!to.bytes) {
        std::uint32_t* const at = static_cast<std::uint32_t*>(const_cast<void*>(to.data)) + row + w;
        const std::uint32_t pixels = 0xffffffffu >> (32 - count);
        *at = count == 32 ? word : (*at & ~pixels) | (word & pixels);
        return;
    }
    std::uint8_t* const at = static_cast<std::uint8_t*>(const_cast<void*>(to.data)) + row + 32 * w;
    if (to.vectors && count == 32) {
        std::uint32_t fours[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) fours[k] = bytes_of_bits(word >> 4 * k);
        reinterpret_cast<uint4*>(at)[0] = {fours[0], fours[1], fours[2], fours[3]};
        reinterpret_cast<uint4*>(at)[1] = {fours[4], fours[5], fours[6], fours[7]};
        return;
    }
    for (int k = 0; k < count; ++k) at[k] = static_cast<std::uint8_t>(word >> k & 1);
}

}  // namespace wale::reconstruction::bits
