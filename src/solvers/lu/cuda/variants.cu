// variants - the CUDA rows of every operation of this solver.
#include "solvers/lu/cuda/variants.hpp"

namespace wale::lu {

void append_cuda_variants() {
    append_factor_variants();
    append_solve_variants();
    append_inverse_variants();
    append_refined_variants();
    append_inspect_variants();
}

}  // namespace wale::lu
