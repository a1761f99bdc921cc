// tuning - how a chain is cut.
#pragma once

#include "tuning/override.hpp"

namespace wale::tree::partition {

struct policy {
    int run_bytes;  // of the rows of a lane, in one array: 64, 128 or 256
    int group;      // segments that a block joins at once
    [[nodiscard]] constexpr int rows(int element_size) const { return run_bytes / element_size; }
};
inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {128, 256}, "untuned"},
    {0, 0, {256, 256}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::tree::partition
