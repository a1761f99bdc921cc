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

}  // namespace wale::lu
