// cpu - the host variants of inverse: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// cpu/small
[[nodiscard]] bool suits_small(const inverse_job& job);
void invert_small(inverse_job& job);

/// cpu/recursive
[[nodiscard]] std::string refuses_long_lines(const inverse_job& job);
void inverse_recursive(inverse_job& job);

/// reference/plain
void inverse_reference(inverse_job& job);

}  // namespace wale::lu
