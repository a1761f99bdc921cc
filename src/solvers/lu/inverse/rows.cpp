// rows - the host rows, best first. The CUDA plugin appends its own (cuda/rows.cu).
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

extern const catalogue::row<inverse_job> inverse_cpu_small, inverse_cpu_recursive, inverse_reference_plain;

inverse_table& inverse_rows() {
    static inverse_table table{
        "lu", "inverse", {inverse_cpu_small, inverse_cpu_recursive, inverse_reference_plain}};
    return table;
}

}  // namespace wale::lu
