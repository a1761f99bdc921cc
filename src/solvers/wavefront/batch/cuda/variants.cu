// variants - the CUDA rows, best first.
#include "solvers/wavefront/cuda/variants.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

void append_batch_variants() {}

}  // namespace wale::wavefront
