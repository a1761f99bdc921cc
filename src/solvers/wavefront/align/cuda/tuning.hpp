// tuning - the measured choices of the alignment kernels.
#pragma once

#include "tuning/table.hpp"

namespace wale::wavefront::binned {

/// Threads of a block in the passes over pairs and symbols (untuned).
inline constexpr int pass_threads = 256;

inline constexpr int most_shapes = 6;

/// Words of two rows that a lane holds, ascending, multiples of 4; and what the choice between them assumes
/// of a column of a lane: instructions for each word, and beside them.
struct shape_policy {
    int words[most_shapes];
    int of_a_word, beside;
};

inline constexpr tuning::row<shape_policy> shapes[] = {
    {0, 0, {{4, 8, 12, 16, 20, 24}, 6, 25}, "untuned"},
};
static_assert(tuning::well_formed(shapes));

}  // namespace wale::wavefront::binned
