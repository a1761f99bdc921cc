// tuning - refinement on the device.
#pragma once

#include <wale/layout.hpp>

#include "tuning/table.hpp"

namespace wale::lu::refinement {

struct policy {
    index_t inverted;     // rows of the diagonal blocks whose inverses a solve applies
    index_t right_sides;  // columns refined at once: bounds the basis
    int restart;          // vectors of a basis
    index_t pays_from;    // rows from which a lower precision is the automatic choice, with so many
    index_t pays_rows;    // rows a right-hand side
};

inline constexpr tuning::row<policy> policies[] = {
    {0, 0, {512, 64, 40, 10000, 64}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::lu::refinement
