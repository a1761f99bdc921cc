// sets - union-find on the device: a word names its parent, a root itself, and the root of a set is its
// smallest member (Komura 2015; Playne & Hawick 2018).
#pragma once

#include <cstdint>

namespace wale::reconstruction::bits {

/// Sets in global memory, one word a member. Sets of a tile have another order of words (bits_tile.cuh).
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

}  // namespace wale::reconstruction::bits
