// tetrahedra_f64 - the fused kernels of tetrahedra in double.
#include "solvers/euler/cuda/fused/engines.hpp"
#include "solvers/euler/cuda/fused/tetrahedra.cuh"

namespace wale::euler {

std::unique_ptr<engine> make_tetrahedra_f64(const advance_job& job, bool recorded) {
    return make_tetrahedra_engine<double>(job, recorded);
}

}  // namespace wale::euler
