// cpu - the host variants of factor: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// Rows that know partial pivoting and none.
[[nodiscard]] std::string refuses_tournament(const factor_job& job);
/// Rows that do not pivot.
[[nodiscard]] std::string refuses_pivoting(const factor_job& job);

/// cpu/small
[[nodiscard]] bool suits_small(const factor_job& job);
void factor_small(factor_job& job);

/// cpu/recursive
[[nodiscard]] std::string refuses_long_lines(const factor_job& job);
void factor_recursive(factor_job& job);

/// cpu/row_column, cpu/row_column_copy, cpu/blocked
void factor_row_column(factor_job& job);
void factor_row_column_copy(factor_job& job);
void factor_blocked(factor_job& job);

/// reference/plain
void factor_reference(factor_job& job);

}  // namespace wale::lu
