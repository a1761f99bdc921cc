// tuning - the measured choices of the preparations.
#pragma once

#include "tuning/table.hpp"

namespace wale::reconstruction {

struct box_policy {
    int taps;  // pixels that one pass compares: an axis of a box takes log(size) / log(taps) passes
};

inline constexpr tuning::row<box_policy> box_policies[] = {
    {0, 0, {9}, "untuned"},
};
static_assert(tuning::well_formed(box_policies));

}  // namespace wale::reconstruction
