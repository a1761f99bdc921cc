// factor_lower - see factor_lower.hpp.
#include "solvers/lu/refined/cuda/iterative/factor_lower.hpp"

#include "solvers/lu/factor/cuda/lookahead/lookahead.hpp"

namespace wale::lu {

factor_precision factor_lower(factor_job& job, factor_precision wanted) {
    const bool lower = wanted == factor_precision::f16 || wanted == factor_precision::tf32;
    if (!lower || !refuses_lookahead(job).empty()) {
        run_factor(job, "automatic");
        return factor_precision::f32;
    }
    factor_pivoted(job, wanted == factor_precision::f16 ? trailing_products::f16 : trailing_products::tf32);
    job.result->run.variant = "cuda/lookahead";
    return wanted;
}

}  // namespace wale::lu
