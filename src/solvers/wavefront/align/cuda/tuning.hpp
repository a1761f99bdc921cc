// tuning - the measured choices of the alignment kernels.
#pragma once

#include "tuning/table.hpp"
#include "wale/layout.hpp"

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

/// Of the kernels that record decisions, which take more instructions for a word: more words pay.
inline constexpr tuning::row<shape_policy> traced_shapes[] = {
    {0, 0, {{4, 16, 20, 24, 28, 32}, 11, 30}, "untuned"},
};
static_assert(tuning::well_formed(traced_shapes));

/// Words of kernels that look at more than the last column, and so keep more in registers: 32 instead of 16
/// took 1.15 times as long with a free end in the target (untuned).
inline constexpr int most_words_looking = 24;

/// Shapes for pairs of several strips of rows: the second one where profiles are small. Bytes of a profile
/// beside which few others fit in a multiprocessor (untuned).
inline constexpr int long_shapes[] = {1, 5};
inline constexpr int large_profile = 16384;

/// Pairs whose decisions are recorded in one sweep have so many columns, over the words of a lane: longer
/// ones are swept twice. Then so many columns are recorded at a time. And bytes for the decisions of all
/// warps (untuned).
inline constexpr int traced_columns = 65536;
inline constexpr int recorded_columns = 2048;
inline constexpr index_t traced_bytes = index_t{3} << 30;

}  // namespace wale::wavefront::binned

namespace wale::wavefront::strips {

/// A strip is 32 lanes of 2 * words rows, a warp's. Cells are relative to a corner of each `block` columns; a
/// warp does a strip of a panel of columns at a time.
struct sweep_policy {
    int words;            // of two rows, a multiple of 4
    int warps, blocks;    // of a block of threads, of a multiprocessor
    int least_rows;       // of a query
    int block;            // columns, a multiple of 32, at least 64
    int panel;            // columns, a multiple of `block`
    int columns_of_step;  // how many columns a strip is behind the one above, about
};

inline constexpr tuning::row<sweep_policy> shapes[] = {
    {0, 0, {16, 4, 4, 262144, 512, 16384, 130}, "untuned"},
    {0, 0, {8, 4, 5, 65536, 512, 16384, 130}, "untuned"},
    {0, 0, {4, 4, 6, 0, 512, 16384, 130}, "untuned"},
};

/// Bytes of the lines that are kept for a path, and the cells between two lines at least (untuned).
inline constexpr std::size_t kept_bytes = 500'000'000;
inline constexpr std::size_t least_line_step = 4096;

}  // namespace wale::wavefront::strips
