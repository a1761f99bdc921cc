// tuning - measured choices of cuda/resident.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::euler {

/// A block has `pairs` threads of two cells each, and `cells` on average at most, a little below 2 * pairs: a
/// few find no partner. No part has less than `least` cells on average, where the mesh has so many. A thread
/// asks for its packet after `ask_after` of its first six faces: too early it asks twice, too late it waits.
/// Warps that need no halo themselves wait for their packets after `take_after` faces, for those who do.
struct resident_policy {
    int pairs, cells, least, ask_after, take_after;
};
inline constexpr tuning::row<resident_policy> resident_policies[] = {
    {90, 8, {384, 748, 96, 0, 2}, "untuned"},
    {90, 4, {384, 748, 96, 3, 6}, "untuned"},
    {0, 0, {384, 748, 96, 3, 6}, "untuned"},
};
static_assert(tuning::well_formed(resident_policies));

/// Iterations of a launch at most, so that a launch that gives up ends soon.
inline constexpr index_t resident_iterations = 4096;

}  // namespace wale::euler
