// launch - a thread a cell, for the kernels whose time does not matter much or that all rows share.
#pragma once

#include "solvers/euler/advance/shared/device/tuning.hpp"

namespace wale::euler {

inline constexpr int threads_of_block = cell_kernels[0].policy.block;

/// Blocks for a thread a cell; one where there is no cell, as a launch without blocks is an error.
[[nodiscard]] inline unsigned blocks_of(index_t cells, int block = threads_of_block) {
    return static_cast<unsigned>(cells > 0 ? (cells + block - 1) / block : 1);
}

__device__ inline index_t cell_of_thread() {
    return static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

}  // namespace wale::euler
