// rows - the CUDA variants of this operation: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// cuda/tile_dag, without pivots
[[nodiscard]] std::string refuses_tile_dag(const factor_job& job);
[[nodiscard]] bool suits_tile_dag(const factor_job& job);
void factor_tile_dag(factor_job& job);

/// The ladder, without pivots: cuda/row_column, cuda/row_column_copy, cuda/blocked_global,
/// cuda/blocked_shared
void factor_row_column(factor_job& job);
void factor_row_column_copy(factor_job& job);
void factor_blocked_global(factor_job& job);
void factor_blocked_shared(factor_job& job);

}  // namespace wale::lu
