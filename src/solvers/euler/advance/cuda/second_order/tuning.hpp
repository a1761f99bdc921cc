// tuning - measured choices of cuda/second_order. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

#include "tuning/override.hpp"

namespace wale::euler {

/// A block of `threads` takes a tile that aims at `own` cells of its own, and `blocks` of them share a
/// multiprocessor and its memory.
struct second_order_policy {
    int threads, blocks, own;
};
inline constexpr tuning::row<second_order_policy> second_order_policies[] = {
    {90, 4, {384, 2, 480}, "untuned"}, {90, 8, {192, 2, 250}, "untuned"}, {90, 4, {256, 3, 300}, "untuned"},
    {90, 4, {768, 1, 740}, "untuned"}, {90, 8, {384, 1, 480}, "untuned"}, {0, 0, {192, 1, 100}, "untuned"},
};
static_assert(tuning::well_formed(second_order_policies));

/// The most threads of a multiprocessor, which bounds the registers of each.
template <class Real>
inline constexpr int second_order_threads = sizeof(Real) == 4 ? 768 : 384;

}  // namespace wale::euler
