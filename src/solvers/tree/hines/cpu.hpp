// cpu - the host variants of trees: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// reference/plain
void solve_hines_reference(hines_job& job);

}  // namespace wale::tree
