// tuning - cpu/small of solve and inverse: which way for how many right-hand sides.
#pragma once

#include <wale/layout.hpp>

#include "tuning/table.hpp"

namespace wale::lu {

/// Right-hand sides that are solved for at once along the lines of the factors, and rows whose scalar
/// products are taken at once: 4 x 4 sums fill 16 registers. "untuned"
inline constexpr int small_solve_rows = 4;

struct small_solve_policy {
    index_t few;  // right-hand sides that are solved for one by one, along the columns of the factors
    index_t lanes_largest;  // rows of systems that share vectors, one a lane
    index_t lanes_columns;  // right-hand sides of such systems
    index_t lanes_inverse;  // rows of matrices that are inverted so
};
inline constexpr tuning::row<small_solve_policy> small_solve_policies[] = {
    {0, 4, {4, 24, 24, 16}, "untuned"},
    {0, 0, {4, 16, 16, 12}, "untuned"},
};
static_assert(tuning::well_formed(small_solve_policies));

}  // namespace wale::lu
