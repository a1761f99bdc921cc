// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/refined/cuda/rows.hpp"

namespace wale::lu {

void append_refined_variants() {}

}  // namespace wale::lu
