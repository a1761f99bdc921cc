// compact_kernel - what compact_f32.cu and compact_f64.cu compile, each for its Real: a thread a cell.
#pragma once

#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/device/time_step.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/fused/compact_passes.cuh"
#include "solvers/euler/advance/shared/fused/tetrahedra_faces.cuh"

namespace wale::euler {

template <class Real>
inline constexpr compact_policy compact_choice = compact_policies[sizeof(Real) == 8 ? 0 : 1].policy;

/// The cell of a thread; -1 behind the last cell, and everywhere once the time has stopped.
template <class Real>
__device__ inline index_t compact_cell(const compact_task<Real>& t) {
    const index_t cell = t.first + block_of(t) * blockDim.x + threadIdx.x;
    return cell >= t.last || is_stopped(t) ? -1 : cell;
}

template <class Real>
__global__ void __launch_bounds__(compact_choice<Real>.block)
    find_places(const __grid_constant__ compact_task<Real> t, bool inverts) {
    const index_t cell = cell_of_thread();
    if (cell >= t.grid.cells) return;
    inverts ? invert_matrix(t, cell) : place_neighbours(t, cell);
}

template <class Real>
__global__ void __launch_bounds__(compact_choice<Real>.block)
    publish_states(const __grid_constant__ compact_task<Real> t) {
    const index_t cell = cell_of_thread();
    if (cell < t.grid.cells) publish(t, t.next, cell, t.old + variables * cell, true);
}

template <class Real>
__global__ void __launch_bounds__(compact_choice<Real>.block)
    find_compact_shocks(const __grid_constant__ compact_task<Real> t) {
    const index_t cell = compact_cell(t);
    if (cell >= 0) t.shocks[cell] = shock_part(t.grid, compact_states<Real>{t}, cell, t.k);
}

template <bool Tetrahedra, class Real>
__global__ void __launch_bounds__(compact_choice<Real>.block, compact_choice<Real>.blocks_of_gradients)
    find_faces(const __grid_constant__ compact_task<Real> t) {
    const index_t cell = compact_cell(t);
    if (cell >= 0) carry_to_faces<Tetrahedra>(t, cell);
}

/// The residual alone where `residuals` is there, else the whole stage.
template <euler_flux Flux, int Order, class Shocks, class Real>
__global__ void __launch_bounds__(compact_choice<Real>.block, compact_choice<Real>.blocks_of_fluxes)
    take_compact_stage(const __grid_constant__ compact_task<Real> t, const Shocks shocks,
                       flux_of<Real>* residuals) {
    const index_t cell = compact_cell(t);
    if (cell < 0) return;
    bool has_patches = false;
    const flux_of<Real> r = compact_residual<Flux, Order>(t, cell, shocks, has_patches);
    if (residuals != nullptr)
        residuals[cell] = r;
    else
        move_compact(t, cell, r, has_patches, taken_step(t));
}

template <class Real>
__global__ void __launch_bounds__(compact_choice<Real>.block)
    update_compact(const __grid_constant__ compact_task<Real> t, const flux_of<Real>* residuals) {
    const index_t cell = compact_cell(t);
    if (cell >= 0) move_compact(t, cell, residuals[cell], true, taken_step(t));
}

template <class Real>
[[nodiscard]] unsigned blocks_of_compact(const compact_task<Real>& t) {
    return blocks_of(t.last - t.first, compact_choice<Real>.block);
}

template <class Real>
void compact_passes<Real>::queue_places(const cuda::context& on, const compact_task<Real>& task) {
    for (const bool inverts : {false, true})
        find_places<<<blocks_of_compact(task), compact_choice<Real>.block, 0, on.stream()>>>(task, inverts);
    cuda::check_launch();
}

template <class Real>
void compact_passes<Real>::queue_publish(const cuda::context& on, const compact_task<Real>& task) {
    publish_states<<<blocks_of_compact(task), compact_choice<Real>.block, 0, on.stream()>>>(task);
    cuda::check_launch();
}

/// The pass of gradients that suits the cells.
template <class Real>
void queue_faces(const cuda::context& on, const compact_task<Real>& task) {
    const unsigned blocks = blocks_of_compact(task);
    constexpr int threads = compact_choice<Real>.block;
    if (!task.tetrahedra)
        find_faces<false><<<blocks, threads, 0, on.stream()>>>(task);
    else if constexpr (by_faces<Real>)
        find_tetrahedra_faces<<<blocks_of(task.grid.cells, cells_of_gradient_block), face_choice.block, 0,
                                on.stream()>>>(task);
    else
        find_faces<true><<<blocks, threads, 0, on.stream()>>>(task);
}

/// The pass of fluxes that suits the cells and the order.
template <euler_flux Flux, int Order, class Shocks, class Real>
void queue_fluxes(const cuda::context& on, const compact_task<Real>& task, const Shocks& shocks,
                  flux_of<Real>* residuals) {
    if constexpr (Order == 2 && by_faces<Real>)
        if (task.tetrahedra) {
            take_tetrahedra_stage<Flux>
                <<<blocks_of(task.grid.cells, face_choice.block / 4), face_choice.block, 0, on.stream()>>>(
                    task, shocks, residuals);
            return;
        }
    take_compact_stage<Flux, Order>
        <<<blocks_of_compact(task), compact_choice<Real>.block, 0, on.stream()>>>(task, shocks, residuals);
}

template <class Real>
void compact_passes<Real>::queue_carry(const cuda::context& on, const compact_task<Real>& task) {
    queue_faces(on, task);
    cuda::check_launch();
}

template <class Real>
void compact_passes<Real>::queue_shocks(const cuda::context& on, const compact_task<Real>& task) {
    find_compact_shocks<<<blocks_of_compact(task), compact_choice<Real>.block, 0, on.stream()>>>(task);
    cuda::check_launch();
}

template <class Real>
void compact_passes<Real>::queue_move(const cuda::context& on, const euler_scheme& scheme,
                                      const compact_task<Real>& task, flux_of<Real>* residuals) {
    with_scheme(scheme, [&]<euler_flux Flux, int Order>() {
        if constexpr (keeps_contacts(Flux))
            if (task.shocks != nullptr) {
                queue_fluxes<Flux, Order>(on, task, plain_shocks<Real>{task.shocks}, residuals);
                return;
            }
        queue_fluxes<Flux, Order>(on, task, no_shocks{}, residuals);
    });
    cuda::check_launch();
}

template <class Real>
void compact_passes<Real>::queue_update(const cuda::context& on, const compact_task<Real>& task,
                                        const flux_of<Real>* residuals) {
    update_compact<<<blocks_of_compact(task), compact_choice<Real>.block, 0, on.stream()>>>(task, residuals);
    cuda::check_launch();
}

}  // namespace wale::euler
