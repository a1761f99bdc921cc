// edit - the pair kernels of edit distance.
#include "solvers/wavefront/batch/shared/sliced.cuh"

namespace wale::wavefront::batch {

void launch_edit(const cuda::context& c, int shape, int threads, const sliced_work& work) {
    launch_sliced<edit_cells>(c, shape, threads, work);
}

}  // namespace wale::wavefront::batch
