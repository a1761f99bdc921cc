// row_column - one row, then one column a step, in place (shared/row_column.hpp).
#include "solvers/lu/factor/shared/row_column.hpp"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

void run(factor_job& job) {
    run_row_column(job, false);
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cpu_row_column{
    "cpu/row_column", "one row, then one column a step, in place", run, refuses_pivoting};

}  // namespace wale::lu
