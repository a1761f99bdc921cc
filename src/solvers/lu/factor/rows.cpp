// rows - the host rows, best first. The CUDA plugin appends its own (cuda/rows.cu).
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

extern const catalogue::row<factor_job> factor_cpu_small, factor_cpu_recursive, factor_cpu_blocked,
    factor_cpu_row_column, factor_cpu_row_column_copy, factor_reference_plain;

factor_table& factor_rows() {
    static factor_table table{"lu",
                              "factor",
                              {factor_cpu_small, factor_cpu_recursive, factor_cpu_blocked,
                               factor_cpu_row_column, factor_cpu_row_column_copy, factor_reference_plain}};
    return table;
}

}  // namespace wale::lu
