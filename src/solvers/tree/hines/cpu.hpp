// cpu - the host variants of trees: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// cpu/contraction
[[nodiscard]] std::string refuses_contraction(const hines_job& job);
[[nodiscard]] bool suits_contraction(const hines_job& job);
void solve_hines_contraction(hines_job& job);

/// cpu/lanes
[[nodiscard]] bool suits_hines_lanes(const hines_job& job);
void solve_hines_lanes(hines_job& job);

/// cpu/sweep
void solve_hines_sweep(hines_job& job);

/// reference/plain
void solve_hines_reference(hines_job& job);

}  // namespace wale::tree
