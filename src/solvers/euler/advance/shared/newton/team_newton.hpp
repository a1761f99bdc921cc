// team_newton - the session of cpu/levels and cpu/colours: Newton's method by a team of threads. Both differ
// in what the sweeps of the preconditioner are, and in which order they take the cells.
#pragma once

#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/advance/shared/newton/sweep_levels.hpp"

namespace wale::euler {

[[nodiscard]] std::string why_not_newton_by_team(const advance_job& job);
[[nodiscard]] std::unique_ptr<flow_session> create_newton_by_team(const advance_job& job, sweep_plan plan);

}  // namespace wale::euler
