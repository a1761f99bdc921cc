// strips - the kernel: rows in bits, a warp a strip, strips by ticket.
#pragma once

#include "solvers/wavefront/length/shared/hand_over.cuh"
#include "solvers/wavefront/length/shared/masks.cuh"
#include "solvers/wavefront/length/shared/recurrences.cuh"

namespace wale::wavefront {

/// One strip over all columns. Lane l works skew * l columns behind lane 0; every `step` columns the lanes'
/// carries move one lane down by a shuffle, whose result is used `delay` steps later. False: a wait ran out.
template <class P, class Rows, class Masks, class HandOver>
__device__ bool run_strip(const strips_job& job, const strips_pair& pair, int strip) {
    using shape = strip_shape<P>;
    constexpr int lines = Rows::lines;
    constexpr int step = P::value.step;
    constexpr int delay = P::value.delay;
    const int lane = threadIdx.x % 32;
    Masks masks;
    masks.build(job, pair, strip);
    masks.start(job, pair);
    HandOver hand(job, pair, strip);
    Rows rows;
    rows.start();
    std::uint32_t word[lines] = {};  // the last 32 columns' bits out of this lane
    std::uint32_t from_above[delay][lines] = {};
    // Multiplications instead of a shift and a choice: lane 0 takes the strip above, the others the lane
    // above.
    const std::uint32_t own = lane == 0 ? 1 : 0;
    const std::uint32_t other = lane == 0 ? 0 : 1u << (32 - step);
    int end = (job.words * shape::steps) + delay * lane;  // steps until this lane's last column is done
    for (int w = 0; w < job.words + shape::lag; ++w) {
        masks.begin_iteration();
        std::uint32_t x[lines] = {};
        if (!hand.take(w < job.words, x)) return false;
#pragma unroll(Masks::whole_iteration ? shape::steps : 1)
        for (int q = 0; q < shape::steps; ++q) {
            std::uint32_t in[lines];
            std::uint32_t out[lines];
#pragma unroll
            for (int l = 0; l < lines; ++l) {
                const std::uint32_t mine = x[l] << (step * q) & ~(~0u >> step);
                in[l] = from_above[0][l] * other + mine * own;
#pragma unroll
                for (int d = 0; d + 1 < delay; ++d) from_above[d][l] = from_above[d + 1][l];
            }
            rows.template step<step>(in, out, [&](int i, auto& m) { masks.get(q * step + i, m); });
#pragma unroll
            for (int l = 0; l < lines; ++l) {
                word[l] = word[l] * (1u << step) + out[l];
                from_above[delay - 1][l] = __shfl_up_sync(~0u, out[l], 1);
            }
            if (q == shape::last_step && w >= shape::lag) hand.put(w - shape::lag, word);
            if constexpr (Rows::counts_at_end)
                if (--end == 0) add_to_answer(pair, rows.total(job, pair, strip));
        }
        masks.end_iteration();
    }
    if constexpr (!Rows::counts_at_end) add_to_answer(pair, rows.total(job, pair, strip));
    return true;
}

/// The words above strip 0.
template <class Rows>
__global__ void fill_top(const __grid_constant__ strips_job job, std::uint64_t* top) {
    for (int w = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); w < job.words;
         w += static_cast<int>(blockDim.x * gridDim.x))
        for (int l = 0; l < Rows::lines; ++l)
            top[static_cast<index_t>(w) * Rows::lines + l] = Rows::top(w, l, job.column_begin);
}

// Who:   a warp takes the next strip by ticket and goes through all columns; lane 31 publishes the bits that
// leave the
//        lowest row of the strip, 32 columns a word.
// Waits: before column word w for word w of the strip above (its tag, or the counter of that strip).
// Why no deadlock: tickets are handed out in strip order (pairs alternate), so the strip above has been taken
// by a warp
//        that runs, and the lowest unfinished strip of each pair does not wait; whatever the number of
//        resident blocks, one included. No warp waits for another warp of its block otherwise: there is no
//        barrier. The first strip of a part waits for the last one of the part above, whose launch is queued
//        first, on another device or before this one in the same stream (over_devices.cpp).
// Why this order: tagged words contain value and tag in one aligned 64-bit access, so relaxed is enough
// (between devices in the scope of the system); counters are
//        released after the words and acquired before the words. The ring: a row of `hand` is written again
//        by strip s + ring. When the ticket of that strip is taken, at most (warps - 1) earlier strips are
//        unfinished, so with ring > warps one strip at or after the row's reader has finished, and a strip
//        can finish only after every strip before it has taken all its words: a chain of dependent values
//        from each load to the later store.
template <class P, class Rows, class Masks, class HandOver>
__global__ void __launch_bounds__(P::value.warps * 32, P::value.blocks)
    strips_kernel(const __grid_constant__ strips_job job) {
    for (;;) {
        std::uint32_t ticket = 0;
        if (threadIdx.x % 32 == 0) ticket = atomicAdd(job.ticket, 1u);
        ticket = __shfl_sync(~0u, ticket, 0);
        const auto count = static_cast<std::uint32_t>(job.pair_count);
        const auto strip = static_cast<int>(ticket / count);
        if (strip >= job.strips) return;
        if (!run_strip<P, Rows, Masks, HandOver>(job, job.pairs[ticket % count], strip)) return;
    }
}

}  // namespace wale::wavefront
