// cpu - the host variants of inverse: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// reference/plain
void inverse_reference(inverse_job& job);

}  // namespace wale::lu
