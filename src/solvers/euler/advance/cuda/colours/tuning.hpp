// tuning - sizes of the kernels of cuda/colours.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::euler {

struct colours_policy {
    int block;        // threads, of all kernels
    int most_blocks;  // of a pass that sums over all cells: the last of them adds up what the others found
};
inline constexpr tuning::row<colours_policy> colours_policies[] = {
    {0, 0, {128, 1024}, "untuned"},
};
static_assert(tuning::well_formed(colours_policies));

}  // namespace wale::euler
