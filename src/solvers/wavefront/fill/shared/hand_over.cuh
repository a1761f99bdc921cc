// hand_over - one value a row from a strip to the strip at its right, as tagged words: 32 bits of the value
// and the tag 1 in each, over memory that was cleared; a 64-bit value takes two words, each of which is its
// own flag.
#pragma once

#include <cstring>

#include "cuda/wait.cuh"

namespace wale::wavefront {

inline constexpr unsigned all_lanes = 0xffffffffu;

template <class T>
struct carried {
    static constexpr int words = (sizeof(T) + 3) / 4;
    static constexpr std::uint32_t tag = 1;
    std::uint64_t word[words];

    __device__ static void store(std::uint64_t* p, T value) {
        std::uint32_t bits[words] = {};
        memcpy(bits, &value, sizeof value);
        for (int k = 0; k < words; ++k) cuda::tagged_word::store(p + k, tag, bits[k]);
    }
    __device__ void load(const std::uint64_t* p) {
        for (int k = 0; k < words; ++k) word[k] = cuda::tagged_word::load(p + k);
    }
    __device__ void clear() {
        for (int k = 0; k < words; ++k) word[k] = 0;
    }
    __device__ bool there() const {
        bool all = true;
        for (int k = 0; k < words; ++k) all = all && cuda::tagged_word::is_of(word[k], tag);
        return all;
    }
    __device__ T value() const {
        std::uint32_t bits[words];
        for (int k = 0; k < words; ++k) bits[k] = cuda::tagged_word::value(word[k]);
        T v;
        memcpy(&v, bits, sizeof v);
        return v;
    }
};

/// The warp waits until each lane that `wants` has its word from `p`; false: gave up, or another block did.
/// The loop is written out: through cuda::wait_until the kernels become another, larger machine code.
template <class Carried>
__device__ bool await(Carried& c, const std::uint64_t* p, bool wants, std::uint32_t* failed) {
    for (std::uint32_t spins = 0; !__all_sync(all_lanes, !wants || c.there()); ++spins) {
        if (spins >= cuda::spin_limit) cuda::store_relaxed(failed, 1);
        if (spins % 256 == 255 && __any_sync(all_lanes, cuda::load_relaxed(failed) != 0)) return false;
        if (wants && !c.there()) c.load(p);
    }
    return true;
}

}  // namespace wale::wavefront
