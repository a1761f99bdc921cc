// tuning - the measured choices of the row cuda/tiles. Tiles are 32 x 32 words by construction
// (words.cuh); what is tuned is how many warps share a block, how many blocks a multiprocessor, and
// when the guard steps in.
#pragma once

#include "tuning/table.hpp"

namespace wale::reconstruction {

struct tiles_policy {
    int warps;   // of a block; each works on a tile of its own
    int blocks;  // a multiprocessor, which bounds the registers of a thread
};
inline constexpr tuning::row<tiles_policy> tiles_policies[] = {
    {90, 8, {4, 2}, "bench/results/h200/reconstruction.csv:56"},  // 0
    {90, 0, {4, 4}, "bench/results/h200/reconstruction.csv:11"},  // 1
    {0, 0, {4, 2}, "untuned"},                                    // 2
};

/// The guard steps in after so many visits of the average tile: natural images take 1.5 to 7, corridors up
/// to thousands.
inline constexpr int tiles_budget = 24;
inline constexpr int tiles_least_budget = 4096;  // visits: small images are quick whatever they hold

/// And after so long: domes take 30 to 45 ns a tile on the H200, a corridor 100 us a row of tiles.
inline constexpr int tiles_time_limit = 250;           // [ns] a tile
inline constexpr int tiles_least_time_limit = 100000;  // [ns] what basins take for a small image

/// Words that a sweep of a tile takes or skips at once.
inline constexpr int tiles_chunk = 8;

/// The pass that publishes the rims of an image at rest, a warp a tile. Not tuned.
inline constexpr int onward_warps = 4;   // of a block
inline constexpr int onward_blocks = 8;  // a multiprocessor

/// Of images that are a tile each, a warp an image. Not tuned.
inline constexpr int lone_tile_warps = 2;  // of a block

/// The last pass, element by element.
inline constexpr int tiles_finish_threads = 256;

}  // namespace wale::reconstruction
