// tuning - the measured choices of the batch kernels: which register shapes exist and how pairs are spread.
#pragma once

#include "tuning/table.hpp"

namespace wale::wavefront::batch {

/// Threads of a block: in the passes over pairs and symbols (untuned), and at most in the pair kernels.
inline constexpr int pass_threads = 256;
inline constexpr int most_threads = 128;

inline constexpr int most_shapes = 16;

/// For alphabets of up to 2^planes symbols: the rows of the table that one bit lane may hold, ascending. A
/// row costs a register for each plane and for each bit of state, so wider alphabets get fewer; so do pairs
/// that a group of threads holds, whose carries need registers too.
struct shape_policy {
    int planes;
    int rows[most_shapes];  // 0: none
    int most_grouped;       // rows of a lane where threads share a pair
    int warps;              // on each scheduler, which bounds the registers
};

inline constexpr tuning::row<shape_policy> shapes[] = {
    // clang-format off
    {0, 0, {2, {8, 10, 12, 13, 14, 16, 18, 20, 22, 24, 26, 27, 28, 30, 31, 32}, 28, 3},
     "bench/results/h200/wavefront_batch.csv:18"},
    // clang-format on
    {0, 0, {3, {6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26}, 24, 3}, "untuned"},
    {0, 0, {5, {4, 6, 8, 10, 12, 14, 16, 18, 20}, 16, 2}, "bench/results/h200/wavefront_batch.csv:50"},
    {0, 0, {8, {4, 6, 8, 10, 12, 13, 14}, 12, 2}, "bench/results/h200/wavefront_batch.csv:58"},
    {0, 0, {16, {4, 6, 8}, 6, 2}, "untuned"},
    {0, 0, {32, {4}, 4, 2}, "untuned"},
};
inline constexpr int shape_count = static_cast<int>(std::size(shapes));
static_assert(tuning::well_formed(shapes));

struct spread_policy {
    int threads;      // a block
    int least_rows;   // a pair is not cut into lanes of fewer rows
    int warps;        // wanted for each multiprocessor
    int padded_log2;  // log2 of the symbols that the pairs of a warp may have together, padded
};

inline constexpr tuning::row<spread_policy> spreads[] = {
    {90, 0, {32, 8, 8, 24}, "bench/results/h200/wavefront_batch.csv:18"},
    {0, 0, {32, 8, 8, 24}, "untuned"},
};
static_assert(tuning::well_formed(spreads));

/// Pairs are treated as alike, in their own order and each as large as the largest, where no more cells than
/// these are added: as many as the kernel does in the time of classes, sort and plan.
struct alike_policy {
    double cells;          // of a batch
    double cells_of_pair;  // and of each pair
};

inline constexpr tuning::row<alike_policy> alikes[] = {
    {90, 0, {1e10, 9e3}, "untuned"},
    {0, 0, {1e9, 3e3}, "untuned"},
};
static_assert(tuning::well_formed(alikes));

/// Batches of up to so many pairs are tried by systolic.cu before anything is surveyed: pairs, each with
/// each.
struct systolic_policy {
    int pairs;
};

inline constexpr tuning::row<systolic_policy> systolics[] = {
    {90, 0, {4096}, "untuned"},
    {90, 0, {0}, "untuned"},
    {0, 0, {2048}, "untuned"},
};
static_assert(tuning::well_formed(systolics));

/// Symbols of the longer sequence, a kilobyte of shared memory a warp for each 1024. Not tuned.
inline constexpr int most_systolic_columns = 2048;

}  // namespace wale::wavefront::batch
