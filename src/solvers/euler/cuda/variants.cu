// variants - the CUDA rows of the flow solver, best first.
#include "solvers/euler/cuda/rows.hpp"
#include "solvers/euler/cuda/variants.hpp"

namespace wale::euler {

void append_cuda_variants() {}

}  // namespace wale::euler
