// pivoted - the form of cuda/lookahead that exchanges rows.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

void factor_pivoted(factor_job& job);

/// Rows that the registers of one cluster hold.
[[nodiscard]] index_t most_pivoted_rows(scalar type);

}  // namespace wale::lu
