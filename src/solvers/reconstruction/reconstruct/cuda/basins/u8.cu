// u8 - cuda/basins for pixels of this type.
#include "solvers/reconstruction/reconstruct/cuda/basins/run.cuh"

template void wale::reconstruction::basins::run_type<std::uint8_t>(const wale::cuda::context&,
                                                                   wale::reconstruction::reconstruct_job&);
