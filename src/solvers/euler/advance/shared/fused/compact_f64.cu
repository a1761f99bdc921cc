// compact_f64 - stages of any scheme on any cells in double.
#include "solvers/euler/advance/shared/fused/compact_kernel.cuh"

namespace wale::euler {

template struct compact_passes<double>;

}  // namespace wale::euler
