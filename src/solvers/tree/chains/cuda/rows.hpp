// rows - the CUDA variants of solving chains: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// cuda/thomas: a thread a system. Never refuses.
void solve_thomas(chain_job& job);

}  // namespace wale::tree
