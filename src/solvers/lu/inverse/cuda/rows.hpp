// rows - the CUDA variants of this operation: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// cuda/batched
[[nodiscard]] std::string refuses_inverse_batched(const inverse_job& job);
[[nodiscard]] bool suits_inverse_batched(const inverse_job& job);
void inverse_batched(inverse_job& job);

/// cuda/blocked
void inverse_blocked(inverse_job& job);

}  // namespace wale::lu
