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
    /// The passes of a stage, each of the cells that the task says: shock_part() of strong shocks, where they
    /// are blended; of second order the states at faces; fluxes and step, or with `residuals` only what flows
    /// into each cell a second, of which queue_update() takes the step.
    static void queue_shocks(const cuda::context& on, const task& t);
    static void queue_carry(const cuda::context& on, const task& t);
    static void queue_move(const cuda::context& on, const euler_scheme& scheme, const task& t,
                           flux_of<Real>* residuals);
    static void queue_update(const cuda::context& on, const task& t, const flux_of<Real>* residuals);
};

}  // namespace wale::euler
