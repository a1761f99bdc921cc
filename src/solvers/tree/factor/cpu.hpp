// cpu - the host variants of factoring chains: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// cpu/lanes
[[nodiscard]] std::string refuses_lane_factors(const chain_factor_job& job);
[[nodiscard]] bool suits_lane_factors(const chain_factor_job& job);
void factor_chains_lanes(chain_factor_job& job);

/// cpu/thomas
void factor_chains_thomas(chain_factor_job& job);

/// reference/plain
void factor_chains_reference(chain_factor_job& job);

}  // namespace wale::tree
