// tuning - the choices of cuda/sweep: the first row is the fastest, the others show what each part of
// the recipe is worth.
#pragma once

#include "tuning/table.hpp"

namespace wale::reconstruction::sweep {

struct policy {
    int rows;    // of a shared tile of 32 words a row; a lane scans a row
    int stride;  // words from row to row of a tile: 33 spreads a column over all banks, 32 puts it in one
    int warps;   // of a block, each with a tile of its own
    int tiles;   // that a warp of an x sweep scans one after another
    int lines;   // that a warp of a y sweep scans one after another
    int check_every;  // iterations queued between two looks at whether anything rose
};

// Square tiles, padded, a warp a block: docs/performance/reconstruction.md has what was tried.
inline constexpr tuning::row<policy> policies[] = {
    {0, 0, {32, 33, 1, 4, 128, 4}, "untuned"},
};
static_assert(tuning::well_formed(policies));

inline constexpr int edge_pass_threads = 256;  // of the first and the last pass

}  // namespace wale::reconstruction::sweep
