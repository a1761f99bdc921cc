// tuning - the measured choices of the batch kernels: which register shapes exist and how pairs are spread.
#pragma once

#include "tuning/table.hpp"

namespace wale::wavefront::batch {

inline constexpr int most_shapes = 6;

/// For alphabets of up to 2^planes symbols: the rows of the table that one bit lane may hold, ascending. A
/// row costs a register for each plane and for each bit of state, so wider alphabets get fewer.
struct shape_policy {
    int planes;
    int rows[most_shapes];  // the last ones may repeat
};

inline constexpr tuning::row<shape_policy> shapes[] = {
    {0, 0, {2, {8, 12, 16, 20, 24, 28}}, "untuned"},  //
    {0, 0, {5, {4, 8, 12, 16, 20, 20}}, "untuned"},   //
    {0, 0, {8, {4, 8, 12, 16, 16, 16}}, "untuned"},   //
    {0, 0, {16, {4, 8, 8, 8, 8, 8}}, "untuned"},      //
    {0, 0, {32, {4, 4, 4, 4, 4, 4}}, "untuned"},
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
    {90, 0, {128, 8, 8, 24}, "untuned"},
    {0, 0, {128, 8, 8, 24}, "untuned"},
};
static_assert(tuning::well_formed(spreads));

}  // namespace wale::wavefront::batch
