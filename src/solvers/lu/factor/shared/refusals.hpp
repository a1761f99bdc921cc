// refusals - why several rows of factor refuse a job, on every backend.
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

}  // namespace wale::lu
