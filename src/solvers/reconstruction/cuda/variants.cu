// variants - the CUDA rows of every operation of this solver.
#include "solvers/reconstruction/cuda/variants.hpp"

namespace wale::reconstruction {

void append_cuda_variants() {
    append_reconstruct_variants();
    append_inspect_variants();
    append_prepare_variants();
}

}  // namespace wale::reconstruction
