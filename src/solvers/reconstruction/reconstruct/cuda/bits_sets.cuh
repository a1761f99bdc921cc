// bits_sets - union-find on the device, in shared or global memory: a word names its parent, a root itself,
// and the root of a set is its smallest member (Komura 2015; Playne & Hawick 2018).
#pragma once

#include <cstdint>

namespace wale::reconstruction::bits {

/// A volatile read: another thread may lower the word at any time, and every value it ever had is an
/// ancestor.
__device__ inline std::uint32_t parent_of(const std::uint32_t* parents, std::uint32_t k) {
    return *static_cast<const volatile std::uint32_t*>(parents + k);
}

__device__ inline std::uint32_t root_of(const std::uint32_t* parents, std::uint32_t k) {
    for (std::uint32_t p = parent_of(parents, k); p != k; p = parent_of(parents, k)) k = p;
    return k;
}

/// Nobody waits here: a round that does not join found a smaller parent than the round before, and parents
/// only fall.
__device__ inline void join(std::uint32_t* parents, std::uint32_t a, std::uint32_t b) {
    a = root_of(parents, a);
    b = root_of(parents, b);
    while (a != b) {
        if (a < b) {
            const std::uint32_t larger = b;
            b = a;
            a = larger;
        }
        const std::uint32_t before = atomicMin(parents + a, b);
        if (before == a) return;
        a = root_of(parents, before);
        b = root_of(parents, b);
    }
}

}  // namespace wale::reconstruction::bits
