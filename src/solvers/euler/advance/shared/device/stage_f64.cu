// stage_f64 - passes over any case in double.
#include "solvers/euler/advance/shared/device/stage_kernel.cuh"

namespace wale::euler {

using real = double;

template void queue_gradients(const cuda::context&, const stage_task<real>&, gradient_of<real>*);
template void queue_residuals(const cuda::context&, const euler_scheme&, const stage_task<real>&,
                              flux_of<real>*);
template void queue_stage(const cuda::context&, const euler_scheme&, const stage_task<real>&);
template void queue_smoothing(const cuda::context&, const stage_task<real>&, const flux_of<real>*,
                              const flux_of<real>*, flux_of<real>*);
template void queue_update(const cuda::context&, const stage_task<real>&, const flux_of<real>*);

}  // namespace wale::euler
