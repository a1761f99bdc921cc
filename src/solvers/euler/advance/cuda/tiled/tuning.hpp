// tuning - measured choices of cuda/tiled.
#pragma once

#include "tuning/override.hpp"

namespace wale::euler {

/// A block of `threads` takes a tile, at least `blocks` of them on a multiprocessor. Tiles aim at `own` cells
/// of their own; with two layers they have up to `two`, `cells` a thread or fewer, with three up to `all`.
struct tiled_policy {
    int threads, cells, blocks;
    int own, two, all;
};
inline constexpr tuning::row<tiled_policy> tiled_policies[] = {
    {90, 4, {384, 3, 2, 480, 1152, 1720}, "untuned"},
    {90, 8, {384, 3, 1, 480, 1152, 1720}, "untuned"},
    {0, 0, {256, 2, 1, 150, 512, 700}, "untuned"},
};
static_assert(tuning::well_formed(tiled_policies));

}  // namespace wale::euler
