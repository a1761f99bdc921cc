// rows - the plugin's rows of each operation, best first; the ladder last: a person asks for the ladder to
// see each step.
#include "solvers/lu/jobs.hpp"
#include "solvers/lu/parts/problem.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::lu {

extern const catalogue::row<factor_job> factor_cuda_batched, factor_cuda_resident, factor_cuda_tile_dag,
    factor_cuda_lookahead, factor_cuda_blocked_shared, factor_cuda_blocked_global, factor_cuda_row_column,
    factor_cuda_row_column_copy, factor_cuda_panels;
extern const catalogue::row<solve_job> solve_cuda_sync_free, solve_cuda_batched, solve_cuda_blocked,
    solve_cuda_columns;
extern const catalogue::row<inverse_job> inverse_cuda_batched, inverse_cuda_blocked, inverse_cuda_columns;
extern const catalogue::row<refined_job> refined_cuda_iterative;
extern const catalogue::row<measure_job> measure_cuda_lines;
extern const catalogue::row<determinant_job> determinant_cuda_diagonal;
extern const catalogue::row<residual_job> residual_cuda_blocked, residual_cuda_columns;
extern const catalogue::row<divided_job> divided_cuda_block_cyclic;

namespace {

const catalogue::plugin_rows<factor_job> factor{
    factor_rows,
    {factor_cuda_batched, factor_cuda_resident, factor_cuda_tile_dag, factor_cuda_lookahead,
     factor_cuda_blocked_shared, factor_cuda_blocked_global, factor_cuda_row_column,
     factor_cuda_row_column_copy, factor_cuda_panels}};
const catalogue::plugin_rows<solve_job> solve{
    solve_rows, {solve_cuda_sync_free, solve_cuda_batched, solve_cuda_blocked, solve_cuda_columns}};
const catalogue::plugin_rows<inverse_job> inverse{
    inverse_rows, {inverse_cuda_batched, inverse_cuda_blocked, inverse_cuda_columns}};
const catalogue::plugin_rows<refined_job> refined{refined_rows, {refined_cuda_iterative}};
const catalogue::plugin_rows<measure_job> measure{measure_rows, {measure_cuda_lines}};
const catalogue::plugin_rows<determinant_job> determinant{determinant_rows, {determinant_cuda_diagonal}};
const catalogue::plugin_rows<residual_job> residual{residual_rows,
                                                    {residual_cuda_blocked, residual_cuda_columns}};
const catalogue::plugin_rows<divided_job> divided{divided_rows, {divided_cuda_block_cyclic}};

}  // namespace
}  // namespace wale::lu
