// traced_global - alignments that end in the last column.
#include "solvers/wavefront/align/cuda/binned/traced.cuh"

namespace wale::wavefront::binned {

int launch_traced_global(const traced_work& w, int shape, bool of_long, unsigned blocks,
                         const cuda::context& c) {
    return launch_traced<kind::global>(w, shape, of_long, blocks, c);
}

}  // namespace wale::wavefront::binned
