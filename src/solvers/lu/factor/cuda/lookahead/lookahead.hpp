// lookahead - the two forms of cuda/lookahead: with and without exchanges of rows.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// What the products of the trailing matrix are computed in. Below as_stored only for f32 factors that are
/// refined afterwards; sums are in f32 always.
enum class trailing_products { as_stored, tf32, f16 };

void factor_pivoted(factor_job& job, trailing_products as = trailing_products::as_stored);

/// Rows that the registers of one cluster hold.
[[nodiscard]] index_t most_pivoted_rows(scalar type);

/// pivoting::none, with the perturbation of pivots where the job asks for it.
void factor_unpivoted(factor_job& job);

[[nodiscard]] std::string refuses_lookahead(const factor_job& job);

}  // namespace wale::lu
