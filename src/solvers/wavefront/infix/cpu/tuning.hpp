// tuning - measured choices of cpu/lanes of infix.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::wavefront {

struct infix_policy {
    index_t first_bound;     // errors that the first round accepts
    index_t widening;        // of the bound from one round to the next
    index_t shortest_piece;  // columns of a piece of the text
    index_t mask_bytes;      // more masks by code than this in one group: bit planes instead
};

inline constexpr tuning::row<infix_policy> infix_policies[] = {
    {0, 0, {.first_bound = 16, .widening = 2, .shortest_piece = 1 << 16, .mask_bytes = 1 << 24}, "untuned"},
};
static_assert(tuning::well_formed(infix_policies));

[[nodiscard]] inline const infix_policy& chosen_infix() {
    return infix_policies[tuning::choose("wavefront/infix/cpu_lanes", infix_policies, 0, 0)].policy;
}

}  // namespace wale::wavefront
