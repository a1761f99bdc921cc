// cpu - the host variants of refined: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// Rows that factor in f64.
[[nodiscard]] std::string refuses_lower_precision(const refined_job& job);

/// cpu/iterative
[[nodiscard]] std::string refuses_tensor_precision(const refined_job& job);
void refined_iterative(refined_job& job);

/// reference/plain
void refined_reference(refined_job& job);

}  // namespace wale::lu
