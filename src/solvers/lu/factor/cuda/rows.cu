// rows - the CUDA rows, best first; the ladder last: a person asks for the ladder to see each step.
#include "solvers/lu/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::lu {

extern const catalogue::row<factor_job> factor_cuda_batched, factor_cuda_resident, factor_cuda_tile_dag,
    factor_cuda_lookahead, factor_cuda_blocked_shared, factor_cuda_blocked_global, factor_cuda_row_column,
    factor_cuda_row_column_copy, factor_cuda_panels;

[[maybe_unused]] const catalogue::plugin_rows<factor_job> cuda_rows{
    factor_rows,
    {factor_cuda_batched, factor_cuda_resident, factor_cuda_tile_dag, factor_cuda_lookahead,
     factor_cuda_blocked_shared, factor_cuda_blocked_global, factor_cuda_row_column,
     factor_cuda_row_column_copy, factor_cuda_panels}};

}  // namespace wale::lu
