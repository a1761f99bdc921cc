// bands_f32 - the kernels of series of float in narrow windows.
#include "solvers/wavefront/warping/cuda/binned/bands_kernel.cuh"

namespace wale::wavefront::warping {

template void launch_bands(const cuda::context&, const packs_job<cell_of<float, false, false>>&, int);
template void launch_bands(const cuda::context&, const packs_job<cell_of<float, true, false>>&, int);

}  // namespace wale::wavefront::warping
