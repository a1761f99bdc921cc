// equal - kernels with equal_scores.
#include "solvers/wavefront/align/cuda/strips/kernel.cuh"

namespace wale::wavefront::strips {

void launch_equal(const sweep_job& w, const launch_shape& shape) {
    launch_sweep<equal_scores>(w, shape);
}
int resident_equal(const cuda::context& c, const sweep_job& w, int row) {
    return resident<equal_scores>(c, w, row);
}

}  // namespace wale::wavefront::strips
