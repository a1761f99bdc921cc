// tuning - measured choices of cuda/resident.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::euler {

/// A block has `pairs` threads of two cells each, and `cells` on average at most, a little below 2 * pairs: a
/// few find no partner. No part has less than `least` cells on average, where the mesh has so many.
struct resident_policy {
    int pairs, cells, least;
};
inline constexpr tuning::row<resident_policy> resident_policies[] = {
    {0, 0, {384, 748, 96}, "untuned"},
};
static_assert(tuning::well_formed(resident_policies));

/// Iterations of a launch at most, so that a launch that gives up ends soon.
inline constexpr index_t resident_iterations = 4096;

}  // namespace wale::euler
