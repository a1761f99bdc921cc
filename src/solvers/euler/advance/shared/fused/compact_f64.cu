// compact_f64 - stages of any scheme on any cells in double.
#include "solvers/euler/advance/shared/fused/compact_kernel.cuh"

namespace wale::euler {

using real = double;

template void queue_places(const cuda::context&, const compact_task<real>&);
template void queue_publish(const cuda::context&, const compact_task<real>&);
template void queue_compact_stage(const cuda::context&, const euler_scheme&, compact_task<real>,
                                  flux_of<real>*);
template void queue_compact_update(const cuda::context&, const compact_task<real>&, const flux_of<real>*);

}  // namespace wale::euler
