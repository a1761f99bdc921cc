// cpu - the host variants of factoring chains: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// reference/plain
void factor_chains_reference(chain_factor_job& job);

}  // namespace wale::tree
