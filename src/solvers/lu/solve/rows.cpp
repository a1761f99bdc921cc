// rows - the host rows, best first. The CUDA plugin appends its own (cuda/rows.cu).
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

extern const catalogue::row<solve_job> solve_cpu_small, solve_cpu_recursive, solve_reference_plain;

solve_table& solve_rows() {
    static solve_table table{"lu", "solve", {solve_cpu_small, solve_cpu_recursive, solve_reference_plain}};
    return table;
}

}  // namespace wale::lu
