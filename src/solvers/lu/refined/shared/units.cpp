#include "solvers/lu/refined/shared/units.hpp"

#include "solvers/lu/inspect/shared/measures.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

double infinity_norm(const_matrices a, int threads) {
    a.order =
        a.row_major() ? storage_order::column_major : storage_order::row_major;  // of the transposed matrix
    std::swap(a.rows, a.columns);
    return measured_by_lines(a, measure::one_norm, threads);
}

}  // namespace

double largest_of_column(block<const double> m, index_t column, index_t rows) {
    double most = 0;
    for (index_t i = 0; i < rows; ++i) most = larger(most, std::fabs(m(i, column)));
    return most;
}

units::units(const refined_job& job, int threads)
    : a_(job.a),
      rows_(job.a.rows),
      columns_(job.b.columns),
      largest_(measured_by_lines(a_, measure::max_magnitude, threads)),
      b_(static_cast<std::size_t>(rows_ * columns_)) {
    const int exponent = is_far(exponent_of(largest_)) ? exponent_of(largest_) : 0;
    if (exponent != 0) {
        const auto* const from = static_cast<const double*>(job.a.data);
        double* const to = copy_.take(rows_ * rows_);
        for (index_t l = 0; l < rows_; ++l)
            for (index_t i = 0; i < rows_; ++i)
                to[l * rows_ + i] = std::ldexp(from[l * job.a.leading + i], -exponent);
        a_.data = to;
        a_.leading = rows_;
        largest_ = std::ldexp(largest_, -exponent);
    }
    norm_ = infinity_norm(a_, threads);
    const block<const double> b{static_cast<const double*>(job.b.data), job.b.leading, job.b.order};
    for (index_t j = 0; j < columns_; ++j) {
        const int own = exponent_of(largest_of_column(b, j, rows_));
        for (index_t i = 0; i < rows_; ++i)
            b_[static_cast<std::size_t>(i * columns_ + j)] = std::ldexp(b(i, j), -own);
        exponents_.push_back(own - exponent);
    }
}

bool units::can_leave(block<const double> x) const {
    for (index_t j = 0; j < columns_; ++j)
        if (!keeps_digits(largest_of_column(x, j, rows_), exponents_[static_cast<std::size_t>(j)]))
            return false;
    return true;
}

void units::scale(block<double> x, int direction) const {
    for (index_t j = 0; j < columns_; ++j)
        for (index_t i = 0; i < rows_; ++i)
            x(i, j) = std::ldexp(x(i, j), direction * exponents_[static_cast<std::size_t>(j)]);
}

}  // namespace wale::lu
