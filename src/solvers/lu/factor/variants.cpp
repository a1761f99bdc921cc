// variants - the host variants, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/lu/factor/cpu.hpp"

namespace wale::lu {

std::string refuses_tournament(const factor_job& job) {
    return job.pivoting == pivoting::tournament ? "pivots by columns, not by tournament" : "";
}

std::string refuses_pivoting(const factor_job& job) {
    return job.pivoting == pivoting::none ? "" : "does not pivot; it needs pivoting none";
}

factor_table& factor_variants() {
    static factor_table table{
        "lu",
        "factor",
        {
            {"cpu/small", backend::cpu,
             "in one core's cache: panels and tiles in registers, matrices to threads", refuses_tournament,
             suits_small, factor_small},
            {"cpu/recursive", backend::cpu,
             "recursive panels, OpenBLAS for products, look-ahead over fixed strips", refuses_long_lines,
             nullptr, factor_recursive},
            {"cpu/blocked", backend::cpu, "three steps a block: diagonal, perimeter, internal blocks",
             refuses_pivoting, nullptr, factor_blocked},
            {"cpu/row_column", backend::cpu, "one row, then one column a step, in place", refuses_pivoting,
             nullptr, factor_row_column},
            {"cpu/row_column_copy", backend::cpu,
             "one row, then one column a step, each on a fresh copy of the matrix", refuses_pivoting, nullptr,
             factor_row_column_copy},
            {"reference/plain", backend::reference, "column by column, right-looking: the truth",
             refuses_tournament, nullptr, factor_reference},
        }};
    return table;
}

}  // namespace wale::lu
