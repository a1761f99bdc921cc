// compact_passes - the launches of compact.hpp; float and double are compiled in a file each.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/euler/advance/shared/fused/compact.hpp"

namespace wale::euler {

template <class Real>
struct compact_passes {
    using task = compact_task<Real>;
    /// Fills the vectors of `seen`, whose numbers are there, and `own`: second order, once.
    static void queue_places(const cuda::context& on, const task& t);
    /// Fills the records `next` from the conserved states `old`.
    static void queue_publish(const cuda::context& on, const task& t);
    /// A stage. With `residuals` only what flows into each cell a second; queue_update() takes the step.
    static void queue_stage(const cuda::context& on, const euler_scheme& scheme, task t,
                            flux_of<Real>* residuals);
    /// The passes of a stage of second order, each by itself: states at faces, then fluxes and step; of first
    /// order the latter is all. Without blending of shocks.
    static void queue_carry(const cuda::context& on, const task& t);
    static void queue_move(const cuda::context& on, const euler_scheme& scheme, const task& t,
                           flux_of<Real>* residuals);
    static void queue_update(const cuda::context& on, const task& t, const flux_of<Real>* residuals);
};

}  // namespace wale::euler
