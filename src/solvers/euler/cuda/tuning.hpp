// tuning - measured choices of the CUDA rows. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
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

}  // namespace wale::euler
