// rows - the CUDA variants of this operation: what each does, and why it may refuse a job.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// cuda/elementary
[[nodiscard]] std::string refuses_elementary(const reconstruct_job& job);
void reconstruct_elementary(reconstruct_job& job);

/// cuda/tiles_3d
[[nodiscard]] std::string refuses_tiles_3d(const reconstruct_job& job);
void reconstruct_tiles_3d(reconstruct_job& job);

/// cuda/tiles
[[nodiscard]] std::string refuses_tiles(const reconstruct_job& job);
[[nodiscard]] bool suits_tiles(const reconstruct_job& job);
void reconstruct_tiles(reconstruct_job& job);

/// cuda/basins. A method with a bound: other rows may finish a job with it from scratch.
[[nodiscard]] std::string refuses_basins(const reconstruct_job& job);
[[nodiscard]] bool basins_suit(const reconstruct_job& job);
void reconstruct_basins(reconstruct_job& job);

/// cuda/bits
[[nodiscard]] std::string refuses_bits_cuda(const reconstruct_job& job);
void reconstruct_bits_cuda(reconstruct_job& job);

/// cuda/sweep
[[nodiscard]] std::string refuses_sweep(const reconstruct_job& job);
void reconstruct_sweep(reconstruct_job& job);

}  // namespace wale::reconstruction
