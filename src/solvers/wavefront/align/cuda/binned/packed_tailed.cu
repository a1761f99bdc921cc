// packed_tailed - alignments that may end anywhere in the last row.
#include "solvers/wavefront/align/cuda/binned/packed.cuh"

namespace wale::wavefront::binned {

void launch_tailed(const packed_work& w, int shape, unsigned blocks, cudaStream_t stream) {
    launch_packed<kind::tailed>(w, shape, blocks, stream);
}

}  // namespace wale::wavefront::binned
