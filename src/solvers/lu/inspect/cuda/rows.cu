// rows - the CUDA rows of the internal tables.
#include "solvers/lu/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::lu {

extern const catalogue::row<measure_job> measure_cuda_lines;
extern const catalogue::row<determinant_job> determinant_cuda_diagonal;
extern const catalogue::row<residual_job> residual_cuda_blocked, residual_cuda_columns;

[[maybe_unused]] const catalogue::plugin_rows<measure_job> measure_cuda_rows{measure_rows,
                                                                             {measure_cuda_lines}};
[[maybe_unused]] const catalogue::plugin_rows<determinant_job> determinant_cuda_rows{
    determinant_rows, {determinant_cuda_diagonal}};
[[maybe_unused]] const catalogue::plugin_rows<residual_job> residual_cuda_rows{
    residual_rows, {residual_cuda_blocked, residual_cuda_columns}};

}  // namespace wale::lu
