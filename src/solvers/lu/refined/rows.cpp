// rows - the host rows, best first. The CUDA plugin appends its own (cuda/rows.cu).
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

extern const catalogue::row<refined_job> refined_cpu_iterative, refined_reference_plain;

refined_table& refined_rows() {
    static refined_table table{"lu", "refined", {refined_cpu_iterative, refined_reference_plain}};
    return table;
}

}  // namespace wale::lu
