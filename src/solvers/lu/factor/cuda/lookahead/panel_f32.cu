// panel_f32 - panels of f32, all shapes.
#include "solvers/lu/factor/cuda/lookahead/panel_launch.cuh"

namespace wale::lu {

template void launch_panel(const panel_job<float>& job, int first_shape, cudaStream_t stream);

}  // namespace wale::lu
