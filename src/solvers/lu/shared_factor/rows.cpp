// rows - the host rows, best first.
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

extern const catalogue::row<shared_factor_job> shared_factor_cpu_block_cyclic, shared_factor_cpu_scalapack;

shared_factor_table& shared_factor_rows() {
    static shared_factor_table table{
        "lu", "shared_factor", {shared_factor_cpu_block_cyclic, shared_factor_cpu_scalapack}};
    return table;
}

}  // namespace wale::lu
