// variants - the CUDA rows of every operation of this solver.
#include "solvers/wavefront/cuda/variants.hpp"

namespace wale::wavefront {

void append_cuda_variants() {
    append_fill_variants();
    append_length_variants();
    append_batch_variants();
}

}  // namespace wale::wavefront
