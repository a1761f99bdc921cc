// rows - the CUDA rows, best first.
#include "solvers/lu/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::lu {

extern const catalogue::row<solve_job> solve_cuda_sync_free, solve_cuda_batched, solve_cuda_blocked,
    solve_cuda_columns;

[[maybe_unused]] const catalogue::plugin_rows<solve_job> cuda_rows{
    solve_rows, {solve_cuda_sync_free, solve_cuda_batched, solve_cuda_blocked, solve_cuda_columns}};

}  // namespace wale::lu
