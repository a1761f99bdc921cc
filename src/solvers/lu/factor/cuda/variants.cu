// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/factor/cuda/rows.hpp"

namespace wale::lu {

void append_factor_variants() {}

}  // namespace wale::lu
