// strips_job - what a launch of a strip kernel works on, and the geometry of a strip, for host and device.
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

#include "solvers/wavefront/length/cuda/tuning.hpp"

namespace wale::wavefront {

/// The numbers that follow from a policy. A strip is 32 lanes of `words` * 32 rows. Lane l runs
/// l * step * delay columns behind lane 0, so lane 31 completes a word of 32 columns in step `last_step` of
/// an iteration, `lag` iterations after lane 0.
template <class P>
struct strip_shape {
    static constexpr int skew = P::value.step * P::value.delay;  // columns
    static constexpr int rows = 32 * 32 * P::value.words;        // of a strip
    static constexpr int steps = 32 / P::value.step;             // of an iteration
    static constexpr int last_step = (steps - 1 + 31 * P::value.delay) % steps;
    static constexpr int lag = (steps - 1 + 31 * P::value.delay - last_step) / steps;
    static constexpr int lead = 32 * skew;       // columns of padding before the first
    static constexpr int tail = 32 * (lag + 2);  // and after the last
    static_assert(32 % P::value.step == 0 && P::value.step <= 16 && skew % 4 == 0);
};

struct strips_pair {
    const void* rows = nullptr;          // codes, one a row, strips * rows of a strip
    const void* columns = nullptr;       // codes, `lead` before and `tail` after 32 * words
    std::uint64_t* hand = nullptr;       // [ring][pitch] hand-over words
    const std::uint64_t* top = nullptr;  // [pitch] the words above the first strip
    std::uint64_t* below = nullptr;      // [pitch] `top` of the part below, which another device computes
    unsigned long long* answer = nullptr;
    index_t row_begin = 0, row_end = 0;  // the rows that are no padding
};

struct strips_job {
    strips_pair pairs[2];
    int pair_count = 1;                        // tickets alternate between the pairs
    int strips = 0;                            // of a pair
    int ring = 0;                              // rows of `hand`
    index_t pitch = 0;                         // words of a row of `hand`
    int words = 0;                             // of 32 columns
    index_t column_begin = 0, column_end = 0;  // the columns that are no padding
    int codes = 0;                             // masks in the table
    std::uint32_t* ticket = nullptr;
    std::uint32_t* failed = nullptr;
};

}  // namespace wale::wavefront
