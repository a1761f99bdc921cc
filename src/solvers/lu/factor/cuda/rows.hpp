// rows - the CUDA variants of this operation: what each does, and why it may refuse a job.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// cuda/resident
[[nodiscard]] std::string refuses_resident(const factor_job& job);
[[nodiscard]] bool suits_resident(const factor_job& job);
void factor_resident(factor_job& job);

/// cuda/batched
[[nodiscard]] std::string refuses_batched(const factor_job& job);
[[nodiscard]] bool suits_batched(const factor_job& job);
void factor_batched(factor_job& job);

/// cuda/tile_dag, without pivots
[[nodiscard]] std::string refuses_tile_dag(const factor_job& job);
[[nodiscard]] bool suits_tile_dag(const factor_job& job);
void factor_tile_dag(factor_job& job);

/// cuda/lookahead
[[nodiscard]] std::string refuses_lookahead(const factor_job& job);
void factor_lookahead(factor_job& job);

/// The ladder, without pivots: cuda/row_column, cuda/row_column_copy, cuda/blocked_global,
/// cuda/blocked_shared
void factor_row_column(factor_job& job);
void factor_row_column_copy(factor_job& job);
void factor_blocked_global(factor_job& job);
void factor_blocked_shared(factor_job& job);

}  // namespace wale::lu
