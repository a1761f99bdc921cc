// rows - the CUDA variants of this operation: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// cuda/batched
[[nodiscard]] std::string refuses_solve_batched(const solve_job& job);
[[nodiscard]] bool suits_solve_batched(const solve_job& job);
void solve_batched(solve_job& job);

/// cuda/blocked
void solve_blocked(solve_job& job);

}  // namespace wale::lu
