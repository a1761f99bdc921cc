// tuning - the measured choices of cuda/elementary.
#pragma once

#include "tuning/table.hpp"

namespace wale::reconstruction::elementary {

struct policy {
    int threads;      // a block: so many columns
    int rows;         // of a plane that a thread walks down
    int check_every;  // dilations between two looks at whether anything rose: each look waits for the device
};

inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {128, 16, 16}, "untuned"},
    {0, 0, {128, 32, 16}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::reconstruction::elementary
