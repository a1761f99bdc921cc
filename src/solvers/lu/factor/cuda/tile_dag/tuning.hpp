// tuning - the choices of cuda/tile_dag.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu::tile_dag {

// A tile is 64 x 64 and a block 256 threads, a 4 x 4 part each: with a smaller tile the diagonal goes from
// block to block more often, and a larger one leaves multiprocessors idle.
inline constexpr int tile = 64;
inline constexpr int threads = 256;

struct policy {
    int stages;  // of the sum's pipeline, each half a tile of L and of U in shared memory, at least 2
};

/// A block a multiprocessor, so that nothing shares it with the critical path.
inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {3}, "bench/results/h200/lu.csv:16"},
    {0, 0, {2}, "untuned"},
};
static_assert(tuning::well_formed(policies));

/// `automatic` takes the row for one matrix up to this size; above, the product of a library is faster.
inline constexpr int suits_up_to = 3072;
/// Of complex numbers from this size on; below, a lane of cuda/panels has a row.
inline constexpr int complex_suits_from = 33;

}  // namespace wale::lu::tile_dag
