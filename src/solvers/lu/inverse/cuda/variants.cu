// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/inverse/cuda/rows.hpp"

namespace wale::lu {

void append_inverse_variants() {}

}  // namespace wale::lu
