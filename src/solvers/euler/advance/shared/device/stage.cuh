// stage - passes over all cells whatever they are, by any flux and of either order: the kernels of the rows
// that take every case, and of measurements. States are [cells][5] in the system's numbering.
#pragma once

#include "solvers/euler/advance/shared/device/device_mesh.cuh"
#include "solvers/euler/advance/shared/device/time_step.cuh"

namespace wale::euler {

template <class Real>
struct stage_task {
    plain_grid<Real> grid;
    constants<Real> k;
    const Real* now;                     // what the fluxes are of
    const gradient_of<Real>* gradients;  // [cells] of `now`, at second order
    const Real* old;                     // the iteration's beginning
    Real* next;                          // where the new states go; may be old
    Real* step;                          // [cells] over the volume, found by the first stage
    const device_time* time;             // null: steps are local
    const double* volumes;               // [cells], with a time
    euler_step rule;
    int stage;
    Real* shocks = nullptr;  // [cells] room for shock_part(), where strong shocks are blended
    index_t first = 0;       // cells before it are left as they are
};

/// Gradients of `states`, limited.
template <class Real>
void queue_gradients(const cuda::context& on, const stage_task<Real>& task, gradient_of<Real>* gradients);

/// What flows into each cell a second.
template <class Real>
void queue_residuals(const cuda::context& on, const euler_scheme& scheme, const stage_task<Real>& task,
                     flux_of<Real>* residuals);

/// A stage in one pass: residuals and new states.
template <class Real>
void queue_stage(const cuda::context& on, const euler_scheme& scheme, const stage_task<Real>& task);

/// A sweep of residual smoothing; `from` and `to` differ.
template <class Real>
void queue_smoothing(const cuda::context& on, const stage_task<Real>& task, const flux_of<Real>* rough,
                     const flux_of<Real>* from, flux_of<Real>* to);

/// New states from residuals.
template <class Real>
void queue_update(const cuda::context& on, const stage_task<Real>& task, const flux_of<Real>* residuals);

}  // namespace wale::euler
