// table - kernels with table_scores.
#include "solvers/wavefront/align/cuda/strips/kernel.cuh"

namespace wale::wavefront::strips {

void launch_table(const sweep_job& w, const launch_shape& shape) {
    launch_sweep<table_scores>(w, shape);
}
int resident_table(const cuda::context& c, const sweep_job& w, int row) {
    return resident<table_scores>(c, w, row);
}

}  // namespace wale::wavefront::strips
