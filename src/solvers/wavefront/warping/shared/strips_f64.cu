// strips_f64 - the kernels of strips of double.
#include "solvers/wavefront/warping/shared/strips_kernel.cuh"

namespace wale::wavefront::warping {

using absolute = cell_of<double, false, false>;
using squared = cell_of<double, true, false>;
using soft_absolute = cell_of<double, false, true>;
using soft_squared = cell_of<double, true, true>;

template int resident_blocks<absolute, true>(const cuda::context&, int);
template int resident_blocks<squared, true>(const cuda::context&, int);
template int resident_blocks<absolute, false>(const cuda::context&, int);
template int resident_blocks<squared, false>(const cuda::context&, int);
template int resident_blocks<soft_absolute, false>(const cuda::context&, int);
template int resident_blocks<soft_squared, false>(const cuda::context&, int);
template void launch_strips<absolute, true>(const cuda::context&, const strips_job<absolute>&, int, unsigned);
template void launch_strips<squared, true>(const cuda::context&, const strips_job<squared>&, int, unsigned);
template void launch_strips<absolute, false>(const cuda::context&, const strips_job<absolute>&, int,
                                             unsigned);
template void launch_strips<squared, false>(const cuda::context&, const strips_job<squared>&, int, unsigned);
template void launch_strips<soft_absolute, false>(const cuda::context&, const strips_job<soft_absolute>&, int,
                                                  unsigned);
template void launch_strips<soft_squared, false>(const cuda::context&, const strips_job<soft_squared>&, int,
                                                 unsigned);

}  // namespace wale::wavefront::warping
