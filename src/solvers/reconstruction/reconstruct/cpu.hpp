// cpu - the host variants of this operation.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// reference/plain
void reconstruct_reference(reconstruct_job& job);

/// cpu/bits
void reconstruct_bits(reconstruct_job& job);
[[nodiscard]] std::string bits_refusal(const reconstruct_job& job);

/// cpu/clamp_scan
void reconstruct_clamp_scan(reconstruct_job& job);

}  // namespace wale::reconstruction
