// tuning - the measured choices of the kernels of warping.
#pragma once

#include <cstddef>

#include "tuning/override.hpp"

namespace wale::wavefront::warping {

/// A lane has `rows` rows in registers and goes through them `columns` columns at a time; `warps` of a block
/// of threads, `blocks` of a multiprocessor at least, for numbers of four bytes; `unrolled` steps of strips
/// have no branch between them, 0: each step has some. Their code fits in the cache of 32 KB.
struct sweep_policy {
    int rows, columns;  // columns: 2 or 4
    int chunk;          // columns of the row above that are awaited at a time
    int warps, blocks, unrolled;
};

/// Each is compiled: which one a call takes follows from the lengths of its series (shapes.cpp). The first
/// one is for tables so wide that they are cut into panels.
inline constexpr tuning::row<sweep_policy> sweeps[] = {
    {0, 0, {32, 4, 32, 4, 4, 1}, "untuned"}, {0, 0, {16, 4, 32, 4, 4, 2}, "untuned"},
    {0, 0, {12, 4, 32, 4, 4, 4}, "untuned"}, {0, 0, {8, 4, 32, 4, 4, 8}, "untuned"},
    {0, 0, {5, 4, 32, 4, 4, 8}, "untuned"},  {0, 0, {4, 4, 32, 4, 4, 8}, "untuned"},
};
static_assert(tuning::well_formed(sweeps));

/// For short series, of which several pairs share a warp.
inline constexpr tuning::row<sweep_policy> packs[] = {
    {0, 0, {32, 2, 32, 4, 5, 0}, "untuned"},
    {0, 0, {16, 2, 32, 4, 8, 0}, "untuned"},
};
static_assert(tuning::well_formed(packs));

/// For narrow windows: the diagonals that a lane holds, an even number.
struct band_policy {
    int diagonals, warps, blocks;
};
inline constexpr tuning::row<band_policy> bands[] = {
    {0, 0, {6, 4, 8}, "untuned"},  {0, 0, {8, 4, 8}, "untuned"},  {0, 0, {10, 4, 7}, "untuned"},
    {0, 0, {12, 4, 6}, "untuned"}, {0, 0, {14, 4, 5}, "untuned"}, {0, 0, {16, 4, 5}, "untuned"},
};
static_assert(tuning::well_formed(bands));

/// For points of several numbers, whose costs are sums, and for the soft minimum.
inline constexpr tuning::row<sweep_policy> general_sweeps[] = {{0, 0, {8, 2, 16, 4, 4, 0}, "untuned"}};
static_assert(tuning::well_formed(general_sweeps));

/// What the choice of a shape assumes of a processor [cycles]: instructions of a cell, of a column and of a
/// step of a lane beside its cells, with and without branches; how long a cell waits for the one above, a
/// step for its shuffles and its row, a chunk of a row and a first row for another strip; the same of a step
/// without branches, and of its cells.
struct cycles_policy {
    double of_cell, of_column, of_step, of_plain_step;
    double cell_latency, step_latency, chunk_latency, hand_over;
    double plain_cell, plain_latency;
    double band_cell,
        band_step;  // of a lane along diagonals: instructions of a cell, of a step beside its cells
};
inline constexpr tuning::row<cycles_policy> cycles[] = {
    {0, 0, {4.6, 4, 45, 20, 19, 200, 950, 1000, 5.1, 50, 6, 30}, "untuned"}};
static_assert(tuning::well_formed(cycles));

/// Bytes of the rows between strips; tasks of a launch; threads of a pass over numbers (untuned).
inline constexpr double most_hand_bytes = 1e9;
inline constexpr int most_tasks = 1 << 20;
inline constexpr int pass_threads = 256;

/// For a path: rows and columns between kept lines at least, and their share of free memory (untuned).
inline constexpr std::size_t least_line_step = 256;
inline constexpr double kept_share = 0.25;

}  // namespace wale::wavefront::warping
