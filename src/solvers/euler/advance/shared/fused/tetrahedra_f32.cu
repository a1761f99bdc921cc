// tetrahedra_f32 - the fused kernels of tetrahedra in float.
#include "solvers/euler/advance/shared/fused/fused.hpp"
#include "solvers/euler/advance/shared/fused/tetrahedra.cuh"

namespace wale::euler {

template <>
std::unique_ptr<flow_session> create_on_tetrahedra<float>(const advance_job& job, bool recorded) {
    return create_tetrahedra_session<float>(job, recorded);
}

}  // namespace wale::euler
