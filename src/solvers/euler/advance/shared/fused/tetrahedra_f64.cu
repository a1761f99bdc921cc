// tetrahedra_f64 - the fused kernels of tetrahedra in double.
#include "solvers/euler/advance/shared/fused/fused.hpp"
#include "solvers/euler/advance/shared/fused/tetrahedra.cuh"

namespace wale::euler {

template <>
std::unique_ptr<flow_session> create_on_tetrahedra<double>(const advance_job& job, bool recorded) {
    return create_tetrahedra_session<double>(job, recorded);
}

}  // namespace wale::euler
