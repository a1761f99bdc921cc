// edit - the pair kernels of edit distance.
#include "solvers/wavefront/batch/cuda/sliced.cuh"

namespace wale::wavefront::batch {

void launch_edit(const cuda::context& c, int shape, const sliced_work& work, int rows, bool grouped) {
    launch_sliced<edit_cells>(c, shape, work, rows, grouped);
}

}  // namespace wale::wavefront::batch
