// compact_passes - the launches of compact.hpp; float and double are compiled in a file each.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/euler/advance/shared/fused/compact.hpp"

namespace wale::euler {

/// Fills the vectors of `seen`, whose numbers are there, and `own`: second order, once.
template <class Real>
void queue_places(const cuda::context& on, const compact_task<Real>& task);

/// Fills the records `next` from the conserved states `old`.
template <class Real>
void queue_publish(const cuda::context& on, const compact_task<Real>& task);

/// A stage. With `residuals` only what flows into each cell a second; queue_compact_update() takes the step.
template <class Real>
void queue_compact_stage(const cuda::context& on, const euler_scheme& scheme, compact_task<Real> task,
                         flux_of<Real>* residuals);
template <class Real>
void queue_compact_update(const cuda::context& on, const compact_task<Real>& task,
                          const flux_of<Real>* residuals);

}  // namespace wale::euler
