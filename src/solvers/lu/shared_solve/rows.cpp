// rows - the host rows, best first.
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

extern const catalogue::row<shared_solve_job> shared_solve_cpu_block_cyclic, shared_solve_cpu_scalapack;

shared_solve_table& shared_solve_rows() {
    static shared_solve_table table{
        "lu", "shared_solve", {shared_solve_cpu_block_cyclic, shared_solve_cpu_scalapack}};
    return table;
}

}  // namespace wale::lu
