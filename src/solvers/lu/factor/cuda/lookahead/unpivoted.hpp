// unpivoted - the form of cuda/lookahead that exchanges no rows.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// pivoting::none, with the perturbation of pivots where the job asks for it.
void factor_unpivoted(factor_job& job);

}  // namespace wale::lu
