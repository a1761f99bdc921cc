// cpu - the host variants of chains: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// reference/plain
void solve_chains_reference(chain_job& job);

}  // namespace wale::tree
