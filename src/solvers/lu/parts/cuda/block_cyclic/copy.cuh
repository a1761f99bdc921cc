// copy - panels on their way to another device: stores into that device's memory, 16 bytes a thread.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/lu/parts/cuda/tuning.hpp"

namespace wale::lu {

/// Words of 32 bits.
struct words_copy {
    const std::uint32_t* from = nullptr;
    std::uint32_t* to = nullptr;
    index_t count = 0;
    words_copy() = default;
    template <class U>
    words_copy(const U* source, U* target, index_t elements)
        : from(reinterpret_cast<const std::uint32_t*>(source)),
          to(reinterpret_cast<std::uint32_t*>(target)),
          count(elements * static_cast<index_t>(sizeof(U) / sizeof(std::uint32_t))) {}
};

/// Columns that begin at 16 bytes on both sides, and what comes with them.
template <class T>
struct panel_copy {
    const T* from;
    T* to;
    index_t leading, rows, columns;
    words_copy words[2];
};

template <class T>
__global__ void __launch_bounds__(copy_threads) copy_panels(panel_copy<T> job) {
    constexpr index_t each = 16 / sizeof(T);
    const index_t thread = threadIdx.x;
    for (index_t c = blockIdx.x; c < job.columns; c += gridDim.x) {
        const T* from = job.from + c * job.leading;
        T* to = job.to + c * job.leading;
        const index_t whole = job.rows / each;
#pragma unroll 4
        for (index_t i = thread; i < whole; i += copy_threads)
            reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
        for (index_t i = whole * each + thread; i < job.rows; i += copy_threads) to[i] = from[i];
    }
    const index_t step = index_t{gridDim.x} * copy_threads,
                  first = blockIdx.x * index_t{copy_threads} + thread;
    for (const words_copy& w : job.words)
        for (index_t i = first; i < w.count; i += step) w.to[i] = w.from[i];
}

}  // namespace wale::lu
