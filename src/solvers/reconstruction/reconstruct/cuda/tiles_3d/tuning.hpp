// tuning - the measured choices of the row cuda/tiles_3d. A tile is 8 words by 32 rows by construction
// (volume_words.cuh).
#pragma once

#include "tuning/table.hpp"

namespace wale::reconstruction::tiles_3d {

struct policy {
    int planes;  // of a tile: a multiple of 4
    int warps;   // of a block; each works on a tile of its own
    int blocks;  // a multiprocessor, which bounds the registers of a thread
};

inline constexpr tuning::row<policy> policies[] = {
    {0, 8, {8, 2, 3}, "untuned"},
    {0, 0, {8, 4, 3}, "untuned"},
};
static_assert(tuning::well_formed(policies));

inline constexpr int pass_threads =
    256;  // of the first and last pass: the words of a tile's plane, by construction
inline constexpr int pass_blocks = 8;  // a multiprocessor; untuned

}  // namespace wale::reconstruction::tiles_3d
