// cpu - the host variants of solve: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// reference/plain
void solve_reference(solve_job& job);

}  // namespace wale::lu
