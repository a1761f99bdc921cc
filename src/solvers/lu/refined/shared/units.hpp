// units - powers of two that keep the norms, products and residuals of a system far from both ends of the
// range.
#pragma once

#include <vector>

#include "solvers/lu/cpu/copy.hpp"
#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/jobs.hpp"
#include "solvers/lu/refined/shared/range.hpp"

namespace wale::lu {

/// A X = B of a job in units of its own, (2^-e A) x' = 2^-f b, with one e for A and one f for each column.
/// The elements of every column of B have their largest magnitude in [1/2, 1). A is copied where is_far(),
/// else e is 0.
class units {
public:
    units(const refined_job& job, int threads);
    [[nodiscard]] const const_matrices& a() const { return a_; }
    [[nodiscard]] double largest() const { return largest_; }  // magnitude in a()
    [[nodiscard]] double norm() const {
        return norm_;
    }  // infinity norm of a(); infinite only if A is not finite
    [[nodiscard]] block<const double> b() const { return {b_.data(), columns_, storage_order::row_major}; }
    /// x from these units to those of the job.
    void leave(block<double> x) const { scale(x, 1); }
    void enter(block<double> x) const { scale(x, -1); }
    /// keeps_digits() of all columns of an x in these units.
    [[nodiscard]] bool can_leave(block<const double> x) const;

private:
    void scale(block<double> x, int direction) const;

    const_matrices a_;
    index_t rows_, columns_;
    scratch<double> copy_;
    double largest_ = 0, norm_ = 0;
    std::vector<double> b_;       // row-major
    std::vector<int> exponents_;  // f - e
};

/// Largest magnitude of a column.
[[nodiscard]] double largest_of_column(block<const double> m, index_t column, index_t rows);

}  // namespace wale::lu
