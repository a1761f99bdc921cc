// ladder - what the unpivoted variants for comparison share.
#pragma once

#include "solvers/lu/factor/cpu_tuning.hpp"
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

[[nodiscard]] int ladder_threads(const factor_job& job);
/// Pivots, outcome and report.
void finish_ladder(factor_job& job, int threads, index_t steps);

}  // namespace wale::lu
