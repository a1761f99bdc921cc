// kernels - a stage of tiles in one launch or in two, and states between the tiles' order and the system's.
#pragma once

#include "solvers/euler/advance/cuda/second_order/stage.hpp"
#include "solvers/euler/advance/cuda/second_order/tuning.hpp"
#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/device/time_step.cuh"

namespace wale::euler::second_order {

// A kernel belongs to the file that is compiled.
namespace {

__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Where launches may begin before the one before is done (a programmatic dependent launch): lets the next
/// one begin, and waits for the one before, whose results are read behind this. Elsewhere nothing.
///
/// Who does what: the blocks of a launch fetch what no launch writes, then all their threads wait here.
/// What for: that all blocks of the launch before have ended, of which each has waited in the same way.
/// No deadlock: the device lets a launch begin when all blocks of the one before have come here, so these
///     have their multiprocessors and need nothing of those that wait.
/// Memory order: the device makes visible what the launch before wrote before it lets the wait end.
__device__ inline void await_launch_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Asks for `count` things to be brought to the cache that all multiprocessors share.
template <class T>
__device__ inline void prefetch(const T* from, index_t count) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const auto first = reinterpret_cast<std::uintptr_t>(from) & ~std::uintptr_t{15};
    const auto last = reinterpret_cast<std::uintptr_t>(from + count) & ~std::uintptr_t{15};
    if (last > first)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first),
                     "r"(static_cast<unsigned>(last - first))
                     : "memory");
#else
    (void)from;
    (void)count;
#endif
}

/// What a tile reads that no other does or few do.
template <class Real>
__device__ inline void prefetch(const task<Real>& t, const tile& own) {
    prefetch(t.halo + own.halo, own.all - own.own);
    for (int i = 0; i < 2; ++i) prefetch(t.links + i * t.rows + own.rows, own.one);
    for (int i = 0; i < geometry_chunks<Real>::count; ++i)
        prefetch(t.geometry + i * t.rows + own.rows, own.one);
    prefetch(t.areas + own.areas, own.faces);
    prefetch(t.now + own.first, own.own);
    for (int v = 0; v < variables; ++v) prefetch(t.old + v * t.cells + own.first, own.own);
}

template <euler_flux Flux, class Real>
__global__ void __launch_bounds__(second_order_threads<Real>, 1)
    take_tile_stage(const __grid_constant__ task<Real> t, const device_time* time) {
    extern __shared__ chunk memory[];
    const auto tile_of = [&](unsigned block) { return t.tiles[t.backwards ? gridDim.x - 1 - block : block]; };
    const tile own = tile_of(blockIdx.x);
    const tile_stage<Flux, Real> stage(t, own, reinterpret_cast<char*>(memory), static_cast<int>(threadIdx.x),
                                       static_cast<int>(blockDim.x));
    const int thread = static_cast<int>(threadIdx.x);
    const auto links = stage.links_ahead(thread);
    stage.fetch([] { await_launch_before(); });
    await_launch_before();
    if (time != nullptr && time->stopped) return;
    if (threadIdx.x == 0 && blockIdx.x + t.at_once < gridDim.x) prefetch(t, tile_of(blockIdx.x + t.at_once));
    wait_for_copies();
    __syncthreads();
    stage.gradients(links);
    const face_area<Real> area = stage.area_ahead(thread);
    __syncthreads();
    const auto own_cell = stage.ahead(thread);
    stage.fluxes(area);
    __syncthreads();
    stage.move(time != nullptr ? time->taken : 0, own_cell);
}

/// The same in two kernels: gradients once a cell, states at faces through device memory.
template <class Real>
__global__ void __launch_bounds__(second_order_threads<Real>, 1)
    carry_tiles(const __grid_constant__ task<Real> t, const device_time* time) {
    extern __shared__ chunk memory[];
    const tile own = t.tiles[t.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x];
    const tile_stage<euler_flux::central, Real, true> stage(
        t, own, reinterpret_cast<char*>(memory), static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
    const auto links = stage.links_ahead(static_cast<int>(threadIdx.x));
    stage.fetch([] { await_launch_before(); });
    await_launch_before();
    if (time != nullptr && time->stopped) return;
    wait_for_copies();
    __syncthreads();
    stage.gradients(links);
}
template <euler_flux Flux, class Real>
__global__ void __launch_bounds__(second_order_threads<Real>, 1)
    move_tiles(const __grid_constant__ task<Real> t, const device_time* time) {
    extern __shared__ chunk memory[];
    const tile own = t.tiles[t.backwards ? blockIdx.x : gridDim.x - 1 - blockIdx.x];
    await_launch_before();
    if (time != nullptr && time->stopped) return;
    const int thread = static_cast<int>(threadIdx.x);
    const tile_stage<Flux, Real, true> stage(t, own, reinterpret_cast<char*>(memory), thread,
                                             static_cast<int>(blockDim.x));
    const face_area<Real> area = stage.area_ahead(thread);
    stage.fetch_sides();
    __syncthreads();
    const auto own_cell = stage.ahead(thread);
    stage.fluxes(area);
    __syncthreads();
    stage.move(time != nullptr ? time->taken : 0, own_cell);
}

template <class Real>
__global__ void publish_tiles(const __grid_constant__ task<Real> t, const Real* states) {
    const tile own = t.tiles[blockIdx.x];
    tile_stage<euler_flux::central, Real>(t, own, nullptr, static_cast<int>(threadIdx.x),
                                          static_cast<int>(blockDim.x))
        .publish_all(states);
}

/// From [5][cells] in the order of numbers to [cells][5] in the system's, or back.
template <class Real>
__global__ void reorder(index_t cells, const std::int32_t* order, const Real* from, Real* to, bool back) {
    const index_t word = cell_of_thread();
    if (word >= variables * cells) return;
    const index_t there = variables * index_t{order[word % cells]} + word / cells;
    to[back ? word : there] = from[back ? there : word];
}

}  // namespace
}  // namespace wale::euler::second_order
