// variants - the CUDA rows of every operation of this solver.
#include "solvers/tree/cuda/variants.hpp"

namespace wale::tree {

void append_cuda_variants() {
    append_chain_variants();
    append_chain_factor_variants();
    append_hines_variants();
    append_cable_variants();
    append_inspect_variants();
}

}  // namespace wale::tree
