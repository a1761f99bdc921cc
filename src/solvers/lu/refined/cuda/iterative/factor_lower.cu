// factor_lower - see factor_lower.hpp.
#include "solvers/lu/refined/cuda/iterative/factor_lower.hpp"

namespace wale::lu {

factor_precision factor_lower(factor_job& job, factor_precision) {
    run_factor(job, "automatic");
    return factor_precision::f32;
}

}  // namespace wale::lu
