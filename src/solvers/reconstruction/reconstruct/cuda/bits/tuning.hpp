// tuning - measured choices of cuda/bits.
#pragma once

#include "tuning/table.hpp"

namespace wale::reconstruction {

/// A block labels a tile, one word of 32 pixels a thread.
struct bits_tile_policy {
    int rows, words;
};

inline constexpr tuning::row<bits_tile_policy> bits_tile_policies[] = {
    {90, 0, {64, 8}, "untuned"},
    {0, 0, {32, 8}, "untuned"},
};
static_assert(tuning::well_formed(bits_tile_policies));

inline constexpr int bits_merge_threads = 128;

}  // namespace wale::reconstruction
