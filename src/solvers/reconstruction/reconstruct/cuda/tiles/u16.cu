// u16 - cuda/tiles for this pixel type.
#include "solvers/reconstruction/reconstruct/cuda/tiles/onward_launch.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles/run.cuh"

namespace wale::reconstruction::tiles {

template void run_tiles<std::uint16_t>(reconstruct_job&);
template class onward<std::uint16_t>;

}  // namespace wale::reconstruction::tiles
