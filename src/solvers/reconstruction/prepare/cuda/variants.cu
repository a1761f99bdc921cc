// variants - the CUDA row of the preparations.
#include "solvers/reconstruction/cuda/variants.hpp"
#include "solvers/reconstruction/prepare/prepare.hpp"

namespace wale::reconstruction {

void append_prepare_variants() {}

}  // namespace wale::reconstruction
