// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/solve/cuda/rows.hpp"

namespace wale::lu {

void append_solve_variants() {}

}  // namespace wale::lu
