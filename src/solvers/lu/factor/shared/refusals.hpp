// refusals - why several rows of factor refuse a job, on every backend, and what they ask of a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// Of rows that know partial pivoting and none.
[[nodiscard]] inline std::string refuses_tournament(const factor_job& job) {
    return job.pivoting == pivoting::tournament ? "pivots by columns, not by tournament" : "";
}

/// Of rows that do not pivot.
[[nodiscard]] inline std::string refuses_pivoting(const factor_job& job) {
    return job.pivoting == pivoting::none ? "" : "does not pivot; it needs pivoting none";
}

/// Of rows that set up panels: unpivoted steps of so few rows are done before that.
[[nodiscard]] inline bool worth_panels(const factor_job& job) {
    constexpr index_t few = 4;
    return job.pivoting != pivoting::none || job.is_complex() || job.a.largest_rows() > few;
}

/// Of kernels that note zero and infinite pivots themselves: whether the call wants what takes a pass more.
[[nodiscard]] inline bool wants_more_than_summary(const factor_job& job) {
    return job.out.permutation || job.out.first_zero || job.out.sign || job.out.log_magnitude;
}

}  // namespace wale::lu
