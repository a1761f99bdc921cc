// tuning - the choices of cuda/sweep: the first row is the fastest, the others show what each part of
// the recipe is worth.
#pragma once

#include "tuning/table.hpp"

namespace wale::reconstruction::sweep {

struct policy {
    int rows;    // of a shared tile of 32 words a row; a lane scans a row
    int stride;  // words from row to row of a tile: 33 spreads a column over all banks, 32 puts it in one
    int warps;   // of a block, each with a tile of its own
    int tiles;   // that a warp of an x sweep scans one after another; 0: to the end of the row
    int lines;   // that a warp of a y sweep scans one after another; 0: to the end of the column
    int check_every;  // iterations queued between two looks at whether anything rose
};

// 0: square tiles, padded, a warp a block. 1: bank conflicts. 2: two warps a block. 3: half the rows, so that
// half of the lanes scan. 4: whole rows and columns, as in the literature. 5, 6: shorter parts, so more warps
// and more iterations.
inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {32, 33, 1, 4, 128, 4}, "untuned"},  // 0
    {90, 0, {32, 32, 1, 4, 128, 4}, "untuned"},  // 1
    {90, 0, {32, 33, 2, 4, 128, 4}, "untuned"},  // 2
    {90, 0, {16, 33, 1, 4, 128, 4}, "untuned"},  // 3
    {90, 0, {32, 33, 1, 0, 0, 4}, "untuned"},    // 4
    {90, 0, {32, 33, 1, 2, 64, 4}, "untuned"},   // 5
    {90, 0, {32, 33, 1, 1, 32, 4}, "untuned"},   // 6
    {0, 0, {32, 33, 1, 4, 128, 4}, "untuned"},   // 7
};
static_assert(tuning::well_formed(policies));

inline constexpr int edge_pass_threads = 256;  // of the first and the last pass

}  // namespace wale::reconstruction::sweep
