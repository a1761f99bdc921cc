// rows - the CUDA variants of factoring chains: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// cuda/thomas: a thread a system, then a thread a right side. Never refuses.
void factor_thomas(chain_factor_job& job);

}  // namespace wale::tree
