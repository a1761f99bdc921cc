// stage_kernel - what stage_f32.cu and stage_f64.cu compile, each for its Real. A thread a cell; it reads
// neighbours' states from `now`, which no thread of the launch writes.
#pragma once

#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/device/stage.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {

template <class Real>
__device__ inline index_t cell_of_task(const stage_task<Real>& t) {
    return t.first + cell_of_thread();
}
template <class Real>
[[nodiscard]] unsigned blocks_of_task(const stage_task<Real>& t) {
    return blocks_of(t.grid.cells - t.first);
}

/// Cells behind the last, and all cells once the time has stopped, are left as they are.
template <class Real>
__device__ inline bool is_idle(const stage_task<Real>& t, index_t cell) {
    return cell >= t.grid.cells || (t.time != nullptr && t.time->stopped);
}

template <class Real>
__device__ inline Real step_of(const stage_task<Real>& t, index_t cell) {
    if (t.stage > 0) return t.step[cell];
    const Real step =
        t.time != nullptr
            ? static_cast<Real>(t.time->taken / t.volumes[cell])
            : step_over_volume(t.rule, t.grid, cell_major_states<Real>{t.now}.point(cell, t.k), cell, t.k);
    t.step[cell] = step;
    return step;
}

template <class Real>
__device__ inline void move_cell(const stage_task<Real>& t, index_t cell, const flux_of<Real>& residual) {
    const Real step = step_of(t, cell);
    for (int v = 0; v < variables; ++v)
        t.next[variables * cell + v] = t.k.from_old[t.stage] * t.old[variables * cell + v] +
                                       t.k.from_now[t.stage] * t.now[variables * cell + v] +
                                       t.k.from_flux[t.stage] * step * residual.at[v];
}

template <class Real>
__global__ void __launch_bounds__(threads_of_block)
    find_gradients(const __grid_constant__ stage_task<Real> t, gradient_of<Real>* gradients) {
    const index_t cell = cell_of_task(t);
    if (is_idle(t, cell)) return;
    gradients[cell] = scheme_gradient(t.grid, cell_major_states<Real>{t.now}, cell, t.k);
}

template <class Real>
__global__ void __launch_bounds__(threads_of_block) find_shocks(const __grid_constant__ stage_task<Real> t) {
    const index_t cell = cell_of_task(t);
    if (!is_idle(t, cell)) t.shocks[cell] = shock_part(t.grid, cell_major_states<Real>{t.now}, cell, t.k);
}

/// The residual alone where `residuals` is there, else the whole stage.
template <euler_flux Flux, int Order, class Shocks, class Real>
__global__ void __launch_bounds__(threads_of_block)
    take_stage(const __grid_constant__ stage_task<Real> t, const Shocks shocks, flux_of<Real>* residuals) {
    const index_t cell = cell_of_task(t);
    if (is_idle(t, cell)) return;
    const flux_of<Real> r = cell_residual<Flux, Order>(t.grid, cell_major_states<Real>{t.now},
                                                       plain_gradients<Real>{t.gradients}, cell, t.k, shocks);
    if (residuals != nullptr)
        residuals[cell] = r;
    else
        move_cell(t, cell, r);
}

template <class Real>
__global__ void __launch_bounds__(threads_of_block)
    smooth(const __grid_constant__ stage_task<Real> t, const flux_of<Real>* rough, const flux_of<Real>* from,
           flux_of<Real>* to) {
    const index_t cell = cell_of_task(t);
    if (!is_idle(t, cell)) to[cell] = smoothed(t.grid, rough, from, cell, t.k);
}

template <class Real>
__global__ void __launch_bounds__(threads_of_block)
    update(const __grid_constant__ stage_task<Real> t, const flux_of<Real>* residuals) {
    const index_t cell = cell_of_task(t);
    if (!is_idle(t, cell)) move_cell(t, cell, residuals[cell]);
}

template <class Real>
void queue_gradients(const cuda::context& on, const stage_task<Real>& task, gradient_of<Real>* gradients) {
    find_gradients<<<blocks_of_task(task), threads_of_block, 0, on.stream()>>>(task, gradients);
    cuda::check_launch();
}

template <class Real>
void queue_residuals(const cuda::context& on, const euler_scheme& scheme, const stage_task<Real>& task,
                     flux_of<Real>* residuals) {
    const unsigned blocks = blocks_of_task(task);
    if (task.shocks != nullptr) find_shocks<<<blocks, threads_of_block, 0, on.stream()>>>(task);
    with_scheme(scheme, [&]<euler_flux Flux, int Order>() {
        if constexpr (keeps_contacts(Flux))
            if (task.shocks != nullptr) {
                take_stage<Flux, Order><<<blocks, threads_of_block, 0, on.stream()>>>(
                    task, plain_shocks<Real>{task.shocks}, residuals);
                return;
            }
        take_stage<Flux, Order><<<blocks, threads_of_block, 0, on.stream()>>>(task, no_shocks{}, residuals);
    });
    cuda::check_launch();
}

template <class Real>
void queue_stage(const cuda::context& on, const euler_scheme& scheme, const stage_task<Real>& task) {
    queue_residuals(on, scheme, task, static_cast<flux_of<Real>*>(nullptr));
}

template <class Real>
void queue_smoothing(const cuda::context& on, const stage_task<Real>& task, const flux_of<Real>* rough,
                     const flux_of<Real>* from, flux_of<Real>* to) {
    smooth<<<blocks_of_task(task), threads_of_block, 0, on.stream()>>>(task, rough, from, to);
    cuda::check_launch();
}

template <class Real>
void queue_update(const cuda::context& on, const stage_task<Real>& task, const flux_of<Real>* residuals) {
    update<<<blocks_of_task(task), threads_of_block, 0, on.stream()>>>(task, residuals);
    cuda::check_launch();
}

}  // namespace wale::euler
