// tetrahedra_faces - the two passes of compact.hpp on tetrahedra, by more threads than cells: gradients with
// a thread a variable, six cells a warp, so that a record of a neighbour is one line for five threads;
// fluxes with a thread a face, so that no thread waits for one face before the next.
#pragma once

#include "solvers/euler/advance/shared/device/time_step.cuh"
#include "solvers/euler/advance/shared/device/tuning.hpp"
#include "solvers/euler/advance/shared/fused/compact_passes.cuh"

namespace wale::euler {

template <class Real>
inline constexpr face_policy face_choice = face_policies[sizeof(Real) == 8 ? 0 : 1].policy;

/// The block's number; from the last one down where a pass goes backwards.
template <class Real>
__device__ inline index_t block_of(const compact_task<Real>& t) {
    return t.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
}
/// Whether the time has stopped: no kernel moves a cell then.
template <class Real>
__device__ inline bool is_stopped(const compact_task<Real>& t) {
    return t.time != nullptr && t.time->stopped;
}
template <class Real>
__device__ inline double taken_step(const compact_task<Real>& t) {
    return t.time != nullptr ? t.time->taken : 0;
}

inline constexpr unsigned whole_warp = 0xffffffff;
inline constexpr int warp_lanes = 32;
inline constexpr int cells_of_warp = warp_lanes / variables;
/// Of a tetrahedron: four neighbours, and of each the three that the cell itself is not.
inline constexpr int near_links = 4, links_of_cell = 16;
template <class Real>
inline constexpr int cells_of_gradient_block = face_choice<Real>.block / warp_lanes* cells_of_warp;

/// For each link of a warp's cells the weighted vector, and in place of an id where the packed record to read
/// begins, in words: below 2^32, as faces are numbered in 31 bits. One link of room behind those of a cell:
/// the same link of two cells is then in other banks.
template <class Real>
using warp_links = row_vector<Real>[cells_of_warp][links_of_cell + 1];

inline constexpr unsigned words_of_record = 8;

template <class Real>
__device__ inline row_vector<Real> link_of(bool counts, const Real* d, int id, int cell) {
    const Real weight = weight_at(counts, d);
    return {{d[0] * weight, d[1] * weight, d[2] * weight},
            static_cast<std::int32_t>(words_of_record * static_cast<unsigned>(counts ? id : cell))};
}

/// Fills a warp's links. A link without a neighbour reads the cell itself and weighs nothing. One of the four
/// faces of a neighbour leads back to the cell: the fourth face takes that one's place among the three.
template <class Real>
__device__ inline void find_links(const compact_task<Real>& t, int first, int lane, warp_links<Real>& links) {
    const int last = static_cast<int>(t.grid.cells) - 1;
    if (lane < near_links * cells_of_warp) {
        const int cell = min(first + lane / near_links, last);
        const row_vector<Real> near = t.seen[near_links * cell + lane % near_links];
        links[lane / near_links][lane % near_links] = link_of(near.id >= 0, near.at, near.id, cell);
    }
    constexpr int faces = near_links * near_links;  // of a cell's neighbours
#pragma unroll
    for (int round = 0; round < faces * cells_of_warp / warp_lanes; ++round) {
        const int at = warp_lanes * round + lane;
        const int own = at / faces, f = at / near_links % near_links, e = at % near_links;
        const int cell = min(first + own, last);
        const row_vector<Real> near = t.seen[near_links * cell + f];
        const bool inner = near.id >= 0 && near.id <= last;
        const row_vector<Real> beyond = t.seen[near_links * (inner ? near.id : cell) + e];
        const bool leads_back = inner && beyond.id == cell;
        const unsigned all = __ballot_sync(whole_warp, leads_back) >> (lane - e) & 15;
        const int back = all == 0 ? 3 : __ffs(static_cast<int>(all)) - 1;
        const int place = e < 3 ? e : back;
        if (place == 3 || (e < 3 && e == back)) continue;
        Real d[3];
        for (int i = 0; i < 3; ++i) d[i] = near.at[i] + beyond.at[i];
        links[own][near_links + 3 * f + place] =
            link_of(inner && beyond.id >= 0 && !leads_back, d, beyond.id, cell);
    }
}

/// What of a variable's steps from the centroid to the four faces' centres is taken.
template <class Real>
__device__ inline Real part_of_steps(const compact_task<Real>& t, const Real (&steps)[4], Real up, Real down,
                                     Real floor) {
    Real part = 1;
    for (const Real step : steps) {
        const Real p = near_part(t.k.limiter, step, step > 0 ? up : down, floor);
        if (step != 0 && p < part) part = p;
    }
    return part;
}

/// The same of the smooth limiter; the threads of density and pressure are `lane` and the fourth behind it.
template <class Real>
__device__ inline Real smooth_part(const Real (&steps)[4], Real own, int lane) {
    constexpr Real threshold = Real(0.01);
    Real square = 0;
    for (const Real step : steps) {
        const Real share = step / own;
        const Real density = __shfl_sync(whole_warp, share, lane);
        const Real pressure = __shfl_sync(whole_warp, share, lane + 4);
        square += density * density + pressure * pressure;
    }
    const Real excess = square / threshold;
    return Real(1) / (Real(1) + excess * excess);
}

/// The first pass of second order: carry_to_faces() of six cells a warp, a thread a variable. The last two
/// threads of a warp repeat two of the sixth cell and write nothing.
template <class Real>
__global__ void __launch_bounds__(face_choice<Real>.block, face_choice<Real>.blocks_of_gradients)
    find_tetrahedra_faces(const __grid_constant__ compact_task<Real> t) {
    constexpr int warps = face_choice<Real>.block / warp_lanes;
    __shared__ warp_links<Real> links_of_warps[warps];
    const int warp = static_cast<int>(threadIdx.x) / warp_lanes;
    const int lane = static_cast<int>(threadIdx.x) % warp_lanes;
    const int first = (static_cast<int>(block_of(t)) * warps + warp) * cells_of_warp;
    if (first >= t.grid.cells || is_stopped(t)) return;  // a warp as a whole; no barrier of the block below
    warp_links<Real>& links = links_of_warps[warp];
    find_links(t, first, lane, links);
    __syncwarp();

    const int c = min(lane / variables, cells_of_warp - 1), v = lane % variables;
    const int cell = min(first + c, static_cast<int>(t.grid.cells) - 1);
    const Real* const values = t.now.moving;
    const Real own = values[words_of_record * static_cast<unsigned>(cell) + static_cast<unsigned>(v)];
    Real sum[3] = {}, least = own, most = own;
#pragma unroll
    for (int i = 0; i < links_of_cell; ++i) {
        const row_vector<Real> link = links[c][i];
        const Real there = values[static_cast<unsigned>(link.id) + static_cast<unsigned>(v)];
        const Real difference = there - own;
        for (int d = 0; d < 3; ++d) sum[d] = std::fma(link.at[d], difference, sum[d]);
        if (i >= near_links) continue;
        if (there < least) least = there;
        if (there > most) most = there;
    }
    const cell_geometry<Real> geometry = t.own[cell];
    const Real* const m = geometry.inverse;
    const Real slope[3] = {std::fma(m[0], sum[0], std::fma(m[3], sum[1], m[4] * sum[2])),
                           std::fma(m[3], sum[0], std::fma(m[1], sum[1], m[5] * sum[2])),
                           std::fma(m[4], sum[0], std::fma(m[5], sum[1], m[2] * sum[2]))};
    const auto centres = reinterpret_cast<const words<Real, 12>*>(t.grid.offsets)[cell];
    Real steps[4];
    for (int f = 0; f < 4; ++f) steps[f] = dot(slope, centres.at + 3 * f);
    Real part = 1;
    if (t.k.limiter != euler_limiter::none)
        part = part_of_steps(t, steps, most - own, least - own, geometry.floor * t.k.unit_squares[v]);
    if (t.k.smooth) part = smooth_part(steps, own, variables * c);
    const bool writes = lane < variables * cells_of_warp && first + c < t.grid.cells;
    for (int f = 0; f < 4; ++f) {
        const index_t row = index_t{4} * cell + f;
        const Real there = std::fma(part, steps[f], own);
        const Real density = __shfl_sync(whole_warp, there, variables * c);
        const Real pressure = __shfl_sync(whole_warp, there, variables * c + 4);
        const bool gas = density > 0 && pressure > 0;
        if (writes) (v < 4 ? t.faces.moving + v + 4 * row : t.faces.pressure + row)[0] = gas ? there : own;
    }
}

/// The second pass, and first order: a thread a face; then a thread of the first warp a cell takes the step.
/// The residual alone where `residuals` is there.
template <euler_flux Flux, int Order, class Shocks, class Real>
__global__ void __launch_bounds__(face_choice<Real>.block, face_choice<Real>.blocks_of_fluxes)
    take_tetrahedra_stage(const __grid_constant__ compact_task<Real> t, const Shocks shocks,
                          flux_of<Real>* residuals) {
    constexpr int threads = face_choice<Real>.block, cells = threads / 4;
    constexpr int pitch = cells + 32 / static_cast<int>(sizeof(Real));  // of a face: apart in the banks
    __shared__ Real passed[variables][4 * pitch];
    __shared__ unsigned patches[threads / warp_lanes];
    if (is_stopped(t)) return;  // all threads alike
    const index_t first = block_of(t) * cells;
    const int thread = static_cast<int>(threadIdx.x);
    bool is_of_patch = false;
    if (const index_t cell = first + thread / 4; cell < t.grid.cells) {
        const index_t row = 4 * first + thread;
        const row_vector<Real> area = t.areas[row];
        is_of_patch = is_patch(area.id);
        const value_records<Real>& there = Order == 2 ? t.faces : t.now;
        const primitives<Real> theirs = there.at(is_of_patch ? (Order == 2 ? row : cell) : index_t{area.id});
        const gas_point<Real> own = Order == 2 ? gas_point<Real>{} : gas_of(t.now.at(cell), t);
        const flux_of<Real> f = row_flux<Flux, Order>(t, cell, row, area, own, theirs, shocks);
        for (int v = 0; v < variables; ++v) passed[v][thread % 4 * pitch + thread / 4] = f.at[v];
    }
    const unsigned of_warp = __ballot_sync(whole_warp, is_of_patch);
    if (thread % warp_lanes == 0) patches[thread / warp_lanes] = of_warp;
    __syncthreads();
    const index_t cell = first + thread;
    if (thread >= cells || cell >= t.grid.cells) return;
    flux_of<Real> sum{};
    for (int face = 0; face < 4; ++face)
        for (int v = 0; v < variables; ++v) sum.at[v] -= passed[v][face * pitch + thread];
    const bool has_patches = (patches[4 * thread / warp_lanes] >> (4 * thread % warp_lanes) & 15) != 0;
    if (residuals != nullptr)
        residuals[cell] = sum;
    else
        move_compact(t, cell, sum, has_patches, taken_step(t));
}

}  // namespace wale::euler
