// tetrahedra_f32 - the fused kernels of tetrahedra in float.
#include "solvers/euler/cuda/fused/engines.hpp"
#include "solvers/euler/cuda/fused/tetrahedra.cuh"

namespace wale::euler {

std::unique_ptr<engine> make_tetrahedra_f32(const advance_job& job, bool recorded) {
    return make_tetrahedra_engine<float>(job, recorded);
}

}  // namespace wale::euler
