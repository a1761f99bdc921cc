// cpu - the host variants of the flow solver.
#pragma once

#include "solvers/euler/job.hpp"

namespace wale::euler {

/// reference/plain
void advance_reference(advance_job& job);
[[nodiscard]] measured measured_by_reference(const flow_system& system,
                                             const std::vector<euler_state>& state);
/// What flows into each cell a second, by the reference.
[[nodiscard]] std::vector<euler_state> residuals_of(const flow_system& system,
                                                    const std::vector<euler_state>& state);

}  // namespace wale::euler
