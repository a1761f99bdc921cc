// measure - residuals, forces, totals and bad cells of a state on the device; the same bits as the host's.
#pragma once

#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/advance/shared/device/device_mesh.cuh"
#include "solvers/euler/advance/shared/ranks/collectives.hpp"

namespace wale::euler {

/// A rank's cells are the first of its mesh; gradients are asked for of those up to `near`.
struct rank_scope {
    rank_collectives others;
    index_t near;
};

/// Of states [cells][5] on the device, in the numbering of `mesh`: the system's, or that of a rank's part of
/// it. Waits for its answer.
template <class Real>
[[nodiscard]] measured measured_on_device(const cuda::context& on, const flow_system& system,
                                          const device_mesh<Real>& mesh, const Real* states,
                                          const rank_scope* scope = nullptr);

}  // namespace wale::euler
