// cpu - the host variants of chains: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// cpu/lanes
[[nodiscard]] std::string refuses_lanes(const chain_job& job);
[[nodiscard]] bool suits_lanes(const chain_job& job);
void solve_chains_lanes(chain_job& job);

/// cpu/partition
[[nodiscard]] bool suits_partition(const chain_job& job);
void solve_chains_partition(chain_job& job);

/// cpu/thomas
void solve_chains_thomas(chain_job& job);

/// reference/plain
void solve_chains_reference(chain_job& job);

}  // namespace wale::tree
