// tables - the tables of this solver's operations, enlisted for `wale list` and wale::variants().
#include "solvers/lu/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::lu {

[[maybe_unused]] static const bool enlisted = catalogue::enlist(
    factor_rows, solve_rows, inverse_rows, refined_rows, shared_factor_rows, shared_solve_rows);

}  // namespace wale::lu
