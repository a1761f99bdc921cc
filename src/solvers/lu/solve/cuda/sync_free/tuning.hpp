// tuning - which systems `automatic` gives to cuda/sync_free.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu::sync_free {

inline constexpr int rows = 64;            // of a block of rows; untuned
inline constexpr int threads = 256;        // untuned
inline constexpr int most_of_a_strip = 4;  // right-hand sides that a block takes at once; untuned

/// Rows and right-hand sides of a system, and systems of one call.
struct range_policy {
    int least, most;
    int sides;
    int count;
};
inline constexpr tuning::row<range_policy> ranges[] = {
    {70, 0, {256, 8192, 4, 4}, "untuned"},
    {0, 0, {1 << 30, 0, 0, 0}, "untuned"},
};
static_assert(tuning::well_formed(ranges));

}  // namespace wale::lu::sync_free
