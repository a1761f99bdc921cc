// packs_f32 - the kernels of short series of float.
#include "solvers/wavefront/warping/cuda/binned/packs_kernel.cuh"

namespace wale::wavefront::warping {

using absolute = cell_of<float, false, false>;
using squared = cell_of<float, true, false>;
using soft_absolute = cell_of<float, false, true>;
using soft_squared = cell_of<float, true, true>;

template void launch_packs<absolute, true>(const cuda::context&, const packs_job<absolute>&, int);
template void launch_packs<squared, true>(const cuda::context&, const packs_job<squared>&, int);
template void launch_packs<absolute, false>(const cuda::context&, const packs_job<absolute>&, int);
template void launch_packs<squared, false>(const cuda::context&, const packs_job<squared>&, int);
template void launch_packs<soft_absolute, false>(const cuda::context&, const packs_job<soft_absolute>&, int);
template void launch_packs<soft_squared, false>(const cuda::context&, const packs_job<soft_squared>&, int);

}  // namespace wale::wavefront::warping
