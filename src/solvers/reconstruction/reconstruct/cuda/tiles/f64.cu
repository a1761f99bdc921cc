// f64 - cuda/tiles for this pixel type.
#include "solvers/reconstruction/reconstruct/cuda/tiles/onward_launch.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles/run.cuh"

namespace wale::reconstruction::tiles {

template void run_tiles<double>(reconstruct_job&);
template class onward<double>;

}  // namespace wale::reconstruction::tiles
