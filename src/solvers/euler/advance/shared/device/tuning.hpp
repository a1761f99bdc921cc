// tuning - measured choices of the CUDA rows.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::euler {

/// Kernels with a thread a cell that all rows share: measurements, steps, any fluxes on any cells.
struct cell_policy {
    int block;
};
inline constexpr tuning::row<cell_policy> cell_kernels[] = {
    {0, 0, {128}, "untuned"},
};
static_assert(tuning::well_formed(cell_kernels));

/// Measurements: blocks of each multiprocessor, which take several cells a thread and so add less often.
struct sum_policy {
    int blocks;
};
inline constexpr tuning::row<sum_policy> sum_kernels[] = {
    {0, 0, {8}, "untuned"},
};
static_assert(tuning::well_formed(sum_kernels));

/// cuda/fused and cuda/graph on tetrahedra by the published flux.
struct fused_policy {
    int block;
};
inline constexpr tuning::row<fused_policy> fused_policies[] = {
    {90, 8, {64}, "untuned"},
    {0, 0, {128}, "untuned"},
};
static_assert(tuning::well_formed(fused_policies));

/// cuda/fused and cuda/graph on all else: threads of a block, and how many blocks a
/// multiprocessor shall hold, which bounds registers, in the pass of gradients and in that of fluxes.
struct compact_policy {
    int block, blocks_of_gradients, blocks_of_fluxes;
};
inline constexpr tuning::row<compact_policy> compact_policies[] = {
    {0, 8, {128, 4, 4}, "untuned"},
    {0, 0, {128, 6, 6}, "untuned"},
};
static_assert(tuning::well_formed(compact_policies));

/// The same of second order on tetrahedra in double, where a thread has a variable of a cell or a face.
using face_policy = compact_policy;
inline constexpr tuning::row<face_policy> face_policies[] = {
    {0, 0, {128, 8, 5}, "untuned"},
};
static_assert(tuning::well_formed(face_policies));

/// cuda/one_pass and cuda/five_passes: the published benchmark's block.
struct passes_policy {
    int block;
};
inline constexpr tuning::row<passes_policy> passes_policies[] = {
    {0, 0, {192}, "untuned"},
};
static_assert(tuning::well_formed(passes_policies));

/// cuda/graph: iterations of a recorded graph. An even number, so that each begins a sweep the same way.
struct graph_policy {
    int iterations;
};
inline constexpr tuning::row<graph_policy> graph_policies[] = {
    {0, 0, {20}, "bench/results/h200/euler.csv:13"},
};
static_assert(tuning::well_formed(graph_policies));

}  // namespace wale::euler
