// variants - the CUDA rows, best first.
#include "solvers/reconstruction/cuda/variants.hpp"
#include "solvers/reconstruction/reconstruct/cuda/rows.hpp"

namespace wale::reconstruction {

void append_reconstruct_variants() {
    reconstruct_variants().rows.push_back(
        {"cuda/elementary", backend::cuda,
         "3 x 3 (x 3) geodesic dilations until nothing rises, one kernel each", refuses_elementary, nullptr,
         reconstruct_elementary});
}

}  // namespace wale::reconstruction
