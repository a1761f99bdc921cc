// host - the host variants of the norms and of the residual.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// The larger; NaN if either is.
[[nodiscard]] inline double larger(double a, double b) {
    return a > b || a != a ? a : b;
}

/// Plain loops: the truth. `factor` multiplies every element.
[[nodiscard]] double measured(const const_matrices& m, measure what, double factor = 1);
[[nodiscard]] double residual_ratio(const const_matrices& a, const const_matrices& factors,
                                    const std::int32_t* pivots);
/// |P A - L U| in the 1-norm to that ratio; both norms in the same units.
[[nodiscard]] double ratio_of_error(double error, const const_matrices& a, double one_norm);

/// cpu/lines: lines of the matrix to threads, small matrices whole.
void measure_by_lines(measure_job& job);
[[nodiscard]] double measured_by_lines(const const_matrices& m, measure what, int threads, double factor = 1);
/// cpu/tiles: tiles of the residual to threads, OpenBLAS for the products; small matrices whole.
void residual_by_tiles(residual_job& job);

}  // namespace wale::lu
