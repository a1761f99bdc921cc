// rows - the CUDA variants of this operation: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// cuda/iterative
void refined_iterative(refined_job& job);

}  // namespace wale::lu
