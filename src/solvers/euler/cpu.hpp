// cpu - the host variants of the flow solver.
#pragma once

#include "solvers/euler/job.hpp"

namespace wale::euler {

/// reference/plain
[[nodiscard]] std::string refuses_reference(const advance_job& job);
void advance_reference(advance_job& job);
[[nodiscard]] measured measured_by_reference(const flow_system& system,
                                             const std::vector<euler_state>& state);
/// What flows into each cell a second, by the reference.
[[nodiscard]] std::vector<euler_state> residuals_of(const flow_system& system,
                                                    const std::vector<euler_state>& state);

/// cpu/vectors
[[nodiscard]] std::string refuses_vectors(const advance_job& job);
void advance_vectors(advance_job& job);

/// cpu/ranks
[[nodiscard]] std::string refuses_ranks(const advance_job& job);
[[nodiscard]] bool suits_ranks(const advance_job& job);
void advance_ranks(advance_job& job);

/// cpu/one_pass, cpu/five_passes
[[nodiscard]] std::string refuses_one_pass(const advance_job& job);
[[nodiscard]] std::string refuses_five_passes(const advance_job& job);
void advance_one_pass(advance_job& job);
void advance_five_passes(advance_job& job);

}  // namespace wale::euler
