// cpu - the host variants of solve: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// cpu/small
[[nodiscard]] bool suits_small(const solve_job& job);
void solve_small(solve_job& job);

/// cpu/recursive
[[nodiscard]] std::string refuses_long_lines(const solve_job& job);
void solve_recursive(solve_job& job);

/// reference/plain
void solve_reference(solve_job& job);

}  // namespace wale::lu
