// rows - the CUDA rows, best first.
#include "solvers/lu/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::lu {

extern const catalogue::row<inverse_job> inverse_cuda_batched, inverse_cuda_blocked, inverse_cuda_columns;

[[maybe_unused]] const catalogue::plugin_rows<inverse_job> cuda_rows{
    inverse_rows, {inverse_cuda_batched, inverse_cuda_blocked, inverse_cuda_columns}};

}  // namespace wale::lu
