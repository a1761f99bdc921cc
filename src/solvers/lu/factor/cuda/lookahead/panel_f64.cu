// panel_f64 - panels of f64, all shapes.
#include "solvers/lu/factor/cuda/lookahead/panel_launch.cuh"

namespace wale::lu {

template void launch_panel(const panel_job<double>& job, int first_shape, cudaStream_t stream);

}  // namespace wale::lu
