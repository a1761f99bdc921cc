// packed_global - alignments that end in the last column.
#include "solvers/wavefront/align/cuda/binned/packed.cuh"

namespace wale::wavefront::binned {

void launch_global(const packed_work& w, int shape, unsigned blocks, cudaStream_t stream) {
    launch_packed<kind::global>(w, shape, blocks, stream);
}

}  // namespace wale::wavefront::binned
