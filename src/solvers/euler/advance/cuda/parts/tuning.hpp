// tuning - measured choices of cuda/parts. Rows behind the first are candidates that only WALE_TUNING
// reaches.
#pragma once

#include "tuning/override.hpp"

namespace wale::euler {

/// Whether kernels store straight into other devices' memory, where they can; iterations of a recorded graph,
/// an even number, or 0.
struct parts_policy {
    bool stores;
    int recorded;
};
inline constexpr tuning::row<parts_policy> parts_policies[] = {
    {0, 0, {true, 20}, "bench/results/h100/devices.csv:3"},
    {0, 0, {true, 0}, "untuned"},
    {0, 0, {false, 0}, "untuned"},
};
static_assert(tuning::well_formed(parts_policies));

}  // namespace wale::euler
