// bands_f64 - the kernels of series of double in narrow windows.
#include "solvers/wavefront/warping/cuda/binned/bands_kernel.cuh"

namespace wale::wavefront::warping {

template void launch_bands(const cuda::context&, const packs_job<cell_of<double, false, false>>&, int);
template void launch_bands(const cuda::context&, const packs_job<cell_of<double, true, false>>&, int);

}  // namespace wale::wavefront::warping
