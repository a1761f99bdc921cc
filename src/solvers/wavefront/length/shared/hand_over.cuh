// hand_over - how a strip's lowest row reaches the strip below: 32 columns a word, for each of `Lines` lines.
// tagged_hand_over: the word is its own flag. crossing_hand_over: likewise, and the lowest strip's words go
// to another device.
#pragma once

#include "cuda/wait.cuh"
#include "solvers/wavefront/length/shared/strips_job.hpp"

namespace wale::wavefront {

[[nodiscard]] __device__ inline std::uint64_t* hand_row(const strips_job& job, const strips_pair& pair,
                                                        int strip) {
    return pair.hand + strip % job.ring * job.pitch;
}

/// Words between the strips of a device.
struct device_words : cuda::tagged_word {
    static constexpr bool cross = false;
};

/// Words that another device may write or read: the same accesses in the scope of the system.
struct system_words {
    static constexpr bool cross = true;
    __device__ static void store(std::uint64_t* p, std::uint32_t epoch, std::uint32_t value) {
        const std::uint64_t word = std::uint64_t{epoch} << 32 | value;
        asm volatile("st.relaxed.sys.global.u64 [%0],%1;" ::"l"(p), "l"(word) : "memory");
    }
    __device__ static std::uint64_t load(const std::uint64_t* p) {
        std::uint64_t v;
        asm volatile("ld.relaxed.sys.global.u64 %0,[%1];" : "=l"(v) : "l"(p) : "memory");
        return v;
    }
};

/// Tag: the strip's number plus one, so that words of the strip that used this row of the ring before never
/// pass. The words above strip 0 (tag 0) are written before the kernel, or where words cross by the lowest
/// strip of the part above. One word is always on its way from memory.
template <int Lines, class Words>
class word_hand_over {
public:
    static constexpr int words_ahead = 1;

    __device__ word_hand_over(const strips_job& job, const strips_pair& pair, int strip)
        : in_(strip == 0 ? pair.top : hand_row(job, pair, strip - 1)),
          out_(leaves(job, pair, strip) ? pair.below : hand_row(job, pair, strip)),
          tag_(strip),
          out_tag_(leaves(job, pair, strip) ? 0 : static_cast<std::uint32_t>(strip) + 1),
          failed_(job.failed) {
        load(coming_);
    }
    /// The next word of every line from the strip above; zeros and no wait unless `real`. The load issued
    /// here must stay in flight until the next call: no branch round it, and the wait polls into registers of
    /// its own (a shared register made the compiler copy the loaded word at once, and so wait for it). False:
    /// a wait ran out here or elsewhere.
    __device__ bool take(bool real, std::uint32_t (&x)[Lines]) {
        const std::uint32_t mask = real ? ~0u : 0u;
        std::uint64_t now[Lines];
#pragma unroll
        for (int l = 0; l < Lines; ++l) now[l] = coming_[l];
        if (__any_sync(~0u, missing(now, mask)) && !wait(now)) return false;
#pragma unroll
        for (int l = 0; l < Lines; ++l) x[l] = cuda::tagged_word::value(now[l]) & mask;
        in_ += Lines;
        load(coming_);  // a row of `hand` has spare words after the last
        return true;
    }
    __device__ void put(int word, const std::uint32_t (&x)[Lines]) {
        if (threadIdx.x % 32 != 31) return;
#pragma unroll
        for (int l = 0; l < Lines; ++l)
            Words::store(out_ + static_cast<index_t>(word) * Lines + l, Words::cross ? out_tag_ : tag_ + 1,
                         x[l]);
    }

private:
    [[nodiscard]] __device__ static bool leaves(const strips_job& job, const strips_pair& pair, int strip) {
        return Words::cross && pair.below != nullptr && strip == job.strips - 1;
    }
    __device__ void load(std::uint64_t (&to)[Lines]) const {
#pragma unroll
        for (int l = 0; l < Lines; ++l) to[l] = Words::load(in_ + l);
    }
    __device__ bool missing(const std::uint64_t (&word)[Lines], std::uint32_t mask) const {
        std::uint32_t difference = 0;
#pragma unroll
        for (int l = 0; l < Lines; ++l) difference |= static_cast<std::uint32_t>(word[l] >> 32) ^ tag_;
        return (difference & mask) != 0;
    }
    /// The loop is written out: through cuda::wait_until the kernels become another, larger machine code.
    __device__ bool wait(std::uint64_t (&word)[Lines]) const {
        for (std::uint32_t spins = 0;; ++spins) {
            load(word);
            if (!__any_sync(~0u, missing(word, ~0u))) return true;
            if (spins >= cuda::spin_limit) cuda::store_relaxed(failed_, 1);
            if (spins % 256 == 255 && __any_sync(~0u, cuda::load_relaxed(failed_) != 0)) return false;
        }
    }
    const std::uint64_t* in_;
    std::uint64_t* out_;
    std::uint64_t coming_[Lines];
    std::uint32_t tag_;      // of the strip above
    std::uint32_t out_tag_;  // where words cross
    std::uint32_t* failed_;
};
template <int Lines>
using tagged_hand_over = word_hand_over<Lines, device_words>;
template <int Lines>
using crossing_hand_over = word_hand_over<Lines, system_words>;

}  // namespace wale::wavefront
