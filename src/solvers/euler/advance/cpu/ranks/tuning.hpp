// tuning - measured choices of cpu/ranks. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::euler {

/// Cells that a thread takes at once; the first thread looks after the messages between two such pieces.
struct ranks_policy {
    index_t chunk;
};
inline constexpr tuning::row<ranks_policy> ranks_policies[] = {
    {0, 0, {512}, "untuned"},
    {0, 0, {128}, "untuned"},
    {0, 0, {4096}, "untuned"},
};
static_assert(tuning::well_formed(ranks_policies));

[[nodiscard]] inline index_t chosen_chunk() {
    return ranks_policies[tuning::choose("euler/advance/ranks", ranks_policies, 0, 8)].policy.chunk;
}

}  // namespace wale::euler
