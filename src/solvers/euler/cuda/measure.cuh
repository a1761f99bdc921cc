// measure - residuals, forces, totals and bad cells of a state on the device; the same bits as the host's.
#pragma once

#include "solvers/euler/cuda/device_mesh.cuh"
#include "solvers/euler/job.hpp"

namespace wale::euler {

/// Of states [cells][5] on the device, in the system's numbering. Waits for its answer.
template <class Real>
[[nodiscard]] measured measured_on_device(const cuda::context& on, const flow_system& system,
                                          const device_mesh<Real>& mesh, const Real* states);

}  // namespace wale::euler
