// rows - the host's rows of each operation, best first. The plugin appends those of cuda/rows.cu.
// Tables are not destroyed: static destructors, and threads that outlive main(), may call.
#include "solvers/lu/jobs.hpp"
#include "solvers/lu/parts/problem.hpp"
#include "variants/catalogue.hpp"

namespace wale::lu {

extern const catalogue::row<factor_job> factor_cpu_small, factor_cpu_recursive, factor_cpu_blocked,
    factor_cpu_row_column, factor_cpu_row_column_copy, factor_reference_plain;

factor_table& factor_rows() {
    static factor_table& table =
        *new factor_table{"lu",
                          "factor",
                          {factor_cpu_small, factor_cpu_recursive, factor_cpu_blocked, factor_cpu_row_column,
                           factor_cpu_row_column_copy, factor_reference_plain}};
    return table;
}

extern const catalogue::row<solve_job> solve_cpu_small, solve_cpu_recursive, solve_reference_plain;

solve_table& solve_rows() {
    static solve_table& table =
        *new solve_table{"lu", "solve", {solve_cpu_small, solve_cpu_recursive, solve_reference_plain}};
    return table;
}

extern const catalogue::row<inverse_job> inverse_cpu_small, inverse_cpu_recursive, inverse_reference_plain;

inverse_table& inverse_rows() {
    static inverse_table& table = *new inverse_table{
        "lu", "inverse", {inverse_cpu_small, inverse_cpu_recursive, inverse_reference_plain}};
    return table;
}

extern const catalogue::row<refined_job> refined_cpu_iterative, refined_reference_plain;

refined_table& refined_rows() {
    static refined_table& table =
        *new refined_table{"lu", "refined", {refined_cpu_iterative, refined_reference_plain}};
    return table;
}

extern const catalogue::row<shared_factor_job> shared_factor_cpu_block_cyclic, shared_factor_cpu_scalapack;

shared_factor_table& shared_factor_rows() {
    static shared_factor_table& table = *new shared_factor_table{
        "lu", "shared_factor", {shared_factor_cpu_block_cyclic, shared_factor_cpu_scalapack}};
    return table;
}

extern const catalogue::row<shared_solve_job> shared_solve_cpu_block_cyclic, shared_solve_cpu_scalapack;

shared_solve_table& shared_solve_rows() {
    static shared_solve_table& table = *new shared_solve_table{
        "lu", "shared_solve", {shared_solve_cpu_block_cyclic, shared_solve_cpu_scalapack}};
    return table;
}

// Internal tables: no caller names their rows, so no list shows them.
extern const catalogue::row<measure_job> measure_cpu_lines, measure_reference_plain;
extern const catalogue::row<determinant_job> determinant_cpu_plain, determinant_reference_plain;
extern const catalogue::row<residual_job> residual_cpu_tiles, residual_reference_plain;

measure_table& measure_rows() {
    static measure_table& table =
        *new measure_table{"lu", "measure", {measure_cpu_lines, measure_reference_plain}};
    return table;
}

determinant_table& determinant_rows() {
    static determinant_table& table =
        *new determinant_table{"lu", "determinant", {determinant_cpu_plain, determinant_reference_plain}};
    return table;
}

residual_table& residual_rows() {
    static residual_table& table =
        *new residual_table{"lu", "residual", {residual_cpu_tiles, residual_reference_plain}};
    return table;
}

divided_table& divided_rows() {
    static divided_table& table = *new divided_table{"lu", "divided", {}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(
    factor_rows, solve_rows, inverse_rows, refined_rows, shared_factor_rows, shared_solve_rows);

}  // namespace wale::lu
