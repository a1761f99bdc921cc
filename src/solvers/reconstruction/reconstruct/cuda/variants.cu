// variants - the CUDA rows, best first.
#include "solvers/reconstruction/cuda/variants.hpp"
#include "solvers/reconstruction/reconstruct/cuda/rows.hpp"

namespace wale::reconstruction {

void append_reconstruct_variants() {}

}  // namespace wale::reconstruction
