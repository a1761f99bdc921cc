// tuning - which systems `automatic` gives to cuda/sync_free.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu::sync_free {

inline constexpr int rows = 64;            // of a block of rows; untuned
inline constexpr int threads = 256;        // untuned
inline constexpr int most_of_a_strip = 4;  // right-hand sides that a block takes at once; untuned

/// Rows of a system, and right-hand sides and systems of one call.
struct range_policy {
    int least, most;
    int sides;
    int strips;  // of all systems
};
inline constexpr tuning::row<range_policy> ranges[] = {
    {70, 0, {65, 8192, 32, 16}, "untuned"},
    {0, 0, {1 << 30, 0, 0, 0}, "untuned"},
};
static_assert(tuning::well_formed(ranges));

/// Of complex numbers, beside cuda/columns, which gives a system one block.
inline constexpr tuning::row<range_policy> complex_ranges[] = {
    {70, 0, {33, 1 << 30, 32, 32}, "untuned"},
    {0, 0, {1 << 30, 0, 0, 0}, "untuned"},
};
static_assert(tuning::well_formed(complex_ranges));

}  // namespace wale::lu::sync_free
