// tuning - measured choices of cuda/tiled. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

#include "tuning/override.hpp"

namespace wale::euler {

/// A block of `threads` takes a tile, `cells` of the first stage a thread; tiles aim at `own` cells of their
/// own, and room for `all` with their three layers. At least `blocks` on a multiprocessor. `prefetch`: a
/// block asks for what the one that will follow it reads.
struct tiled_policy {
    int threads, cells, blocks, own, all;
    bool prefetch;
};
inline constexpr tuning::row<tiled_policy> tiled_policies[] = {
    {90, 4, {384, 3, 2, 480, 1720, true}, "untuned"},  {90, 8, {384, 3, 1, 480, 1720, true}, "untuned"},
    {90, 4, {384, 3, 2, 480, 1720, false}, "untuned"}, {90, 4, {448, 2, 2, 370, 1400, true}, "untuned"},
    {90, 8, {384, 3, 1, 480, 1720, false}, "untuned"}, {90, 8, {512, 2, 1, 420, 1500, true}, "untuned"},
    {0, 0, {256, 2, 1, 150, 760, true}, "untuned"},
};
static_assert(tuning::well_formed(tiled_policies));

}  // namespace wale::euler
