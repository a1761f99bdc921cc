// packed_local - local alignments: every cell may be the best.
#include "solvers/wavefront/align/cuda/binned/packed.cuh"

namespace wale::wavefront::binned {

void launch_local(const packed_work& w, int shape, unsigned blocks, cudaStream_t stream) {
    launch_packed<kind::local>(w, shape, blocks, stream);
}

}  // namespace wale::wavefront::binned
