// few - kernels with few_scores.
#include "solvers/wavefront/align/cuda/strips/kernel.cuh"

namespace wale::wavefront::strips {

void launch_few(const sweep_job& w, const launch_shape& shape) {
    launch_sweep<few_scores>(w, shape);
}
int resident_few(const cuda::context& c, const sweep_job& w, int row) {
    return resident<few_scores>(c, w, row);
}

}  // namespace wale::wavefront::strips
