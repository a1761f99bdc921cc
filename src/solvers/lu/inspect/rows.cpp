// rows - the host rows of the internal tables, best first. No caller names them, so no list shows them.
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

extern const catalogue::row<measure_job> measure_cpu_lines, measure_reference_plain;
extern const catalogue::row<determinant_job> determinant_cpu_plain, determinant_reference_plain;
extern const catalogue::row<residual_job> residual_cpu_tiles, residual_reference_plain;

measure_table& measure_rows() {
    static measure_table table{"lu", "measure", {measure_cpu_lines, measure_reference_plain}};
    return table;
}

determinant_table& determinant_rows() {
    static determinant_table table{"lu", "determinant", {determinant_cpu_plain, determinant_reference_plain}};
    return table;
}

residual_table& residual_rows() {
    static residual_table table{"lu", "residual", {residual_cpu_tiles, residual_reference_plain}};
    return table;
}

}  // namespace wale::lu
