// lcs - the pair kernels of LCS length.
#include "solvers/wavefront/batch/cuda/sliced.cuh"

namespace wale::wavefront::batch {

void launch_lcs(const cuda::context& c, int shape, const sliced_work& work, int rows, bool grouped) {
    launch_sliced<lcs_cells>(c, shape, work, rows, grouped);
}

}  // namespace wale::wavefront::batch
