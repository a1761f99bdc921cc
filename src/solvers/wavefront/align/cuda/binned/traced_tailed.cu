// traced_tailed - alignments whose end in the target is free.
#include "solvers/wavefront/align/cuda/binned/traced.cuh"

namespace wale::wavefront::binned {

int launch_traced_tailed(const traced_work& w, int shape, bool of_long, unsigned blocks,
                         const cuda::context& c) {
    return launch_traced<kind::tailed>(w, shape, of_long, blocks, c);
}

}  // namespace wale::wavefront::binned
