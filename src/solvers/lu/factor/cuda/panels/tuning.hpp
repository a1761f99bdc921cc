// tuning - the sizes of cuda/panels.
#pragma once

#include "tuning/override.hpp"

namespace wale::lu::panels {

inline constexpr int most_width = 32;  // columns of a panel: a thread keeps so many elements of a column of U
inline constexpr int tile = 64, tile_threads = 16, step = 8;  // of the product: 4 x 4 elements a thread

struct policy {
    int width;          // columns of a panel
    int threads;        // of a block that factors a panel
    int small_bytes;    // a matrix up to this size is factored whole in shared memory
    int small_threads;  // by so many
};
inline constexpr tuning::row<policy> policies[] = {
    {0, 0, {32, 512, 48 * 1024, 128}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::lu::panels
