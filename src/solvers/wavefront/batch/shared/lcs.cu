// lcs - the pair kernels of LCS length.
#include "solvers/wavefront/batch/shared/sliced.cuh"

namespace wale::wavefront::batch {

void launch_lcs(const cuda::context& c, int shape, int threads, const sliced_work& work) {
    launch_sliced<lcs_cells>(c, shape, threads, work);
}

}  // namespace wale::wavefront::batch
