// measures - norms and residuals on the host.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// The larger; NaN if either is.
[[nodiscard]] inline double larger(double a, double b) {
    return a > b || a != a ? a : b;
}

/// Plain loops, which define the result. `factor` multiplies every element.
[[nodiscard]] double measured(const const_matrices& m, measure what, double factor = 1);
[[nodiscard]] double residual_ratio(const const_matrices& a, const const_matrices& factors,
                                    const std::int32_t* pivots);
/// |P A - L U| in the 1-norm to that ratio; both norms in the same units.
[[nodiscard]] double ratio_of_error(double error, const const_matrices& a, double one_norm);

/// Lines of the matrix to threads (cpu/lines.cpp).
[[nodiscard]] double measured_by_lines(const const_matrices& m, measure what, int threads, double factor = 1);
/// Down the diagonal.
void determinants_on_host(determinant_job& job);

}  // namespace wale::lu
