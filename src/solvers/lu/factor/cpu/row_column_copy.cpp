// row_column_copy - one row, then one column a step, each on a fresh copy of the matrix
// (shared/row_column.hpp).
#include "solvers/lu/factor/shared/refusals.hpp"
#include "solvers/lu/factor/shared/row_column.hpp"

namespace wale::lu {
namespace {

void run(factor_job& job) {
    run_row_column(job, true);
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cpu_row_column_copy{
    "cpu/row_column_copy", "one row, then one column a step, each on a fresh copy of the matrix", run,
    refuses_pivoting};

}  // namespace wale::lu
