// atomics - the memory operations between blocks, by their PTX names and at device scope, and the clock.
#pragma once

#include <cstdint>

namespace wale::cuda {

__device__ inline std::uint32_t load_acquire(const std::uint32_t* p) {
    std::uint32_t v;
    asm volatile("ld.acquire.gpu.global.u32 %0,[%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ inline void store_release(std::uint32_t* p, std::uint32_t v) {
    asm volatile("st.release.gpu.global.u32 [%0],%1;" ::"l"(p), "r"(v) : "memory");
}
__device__ inline std::uint32_t load_relaxed(const std::uint32_t* p) {
    std::uint32_t v;
    asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ inline void store_relaxed(std::uint32_t* p, std::uint32_t v) {
    asm volatile("st.relaxed.gpu.global.u32 [%0],%1;" ::"l"(p), "r"(v) : "memory");
}

/// The device's clock, the same for all its multiprocessors; it moves in steps of up to a microsecond.
__device__ inline std::uint64_t nanoseconds() {
    std::uint64_t t;
    asm volatile("mov.u64 %0,%globaltimer;" : "=l"(t));
    return t;
}

/// A value that is its own flag: 32 bits of data and a 32-bit epoch in one aligned 64-bit word, stored and
/// polled relaxed. No fence is needed since value and epoch cannot be torn apart. The epoch makes a reset
/// between launches unnecessary; words start as 0 and epochs at 1.
struct tagged_word {
    __device__ static void store(std::uint64_t* p, std::uint32_t epoch, std::uint32_t value) {
        const std::uint64_t word = std::uint64_t{epoch} << 32 | value;
        asm volatile("st.relaxed.gpu.global.u64 [%0],%1;" ::"l"(p), "l"(word) : "memory");
    }
    __device__ static std::uint64_t load(const std::uint64_t* p) {
        std::uint64_t v;
        asm volatile("ld.relaxed.gpu.global.u64 %0,[%1];" : "=l"(v) : "l"(p) : "memory");
        return v;
    }
    __device__ static bool is_of(std::uint64_t word, std::uint32_t epoch) {
        return static_cast<std::uint32_t>(word >> 32) == epoch;
    }
    __device__ static std::uint32_t value(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
};

}  // namespace wale::cuda
