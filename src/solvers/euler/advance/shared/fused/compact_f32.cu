// compact_f32 - stages of any scheme on any cells in float.
#include "solvers/euler/advance/shared/fused/compact_kernel.cuh"

namespace wale::euler {

template struct compact_passes<float>;

}  // namespace wale::euler
