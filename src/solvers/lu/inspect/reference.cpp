// reference - on the host: norms, determinants, and how far P A is from L U.
#include <cstddef>

#include "solvers/lu/inspect/shared/measures.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

template <class T>
double largest_magnitude(const const_matrices& m, bool upper) {
    const auto a = elements<T>(m);
    double most = 0;
    for (index_t i = 0; i < m.rows; ++i)
        for (index_t j = upper ? i : 0; j < m.columns; ++j) most = larger(most, magnitude(a(i, j)));
    return most;
}

/// 1-norm; the column sums are built up line by line, whatever the storage order.
template <class T>
double one_norm(const const_matrices& m, double factor) {
    const auto a = elements<T>(m);
    std::vector<double> sums(static_cast<std::size_t>(m.columns));
    for (index_t i = 0; i < m.rows; ++i)
        for (index_t j = 0; j < m.columns; ++j)
            sums[static_cast<std::size_t>(j)] += magnitude(factor * static_cast<wide_of<T>>(a(i, j)));
    double most = 0;
    for (const double sum : sums) most = larger(most, sum);
    return most;
}

void measure_on_host(measure_job& job) {
    for (index_t i = 0; i < job.a.count(); ++i) job.values[i] = measured(job.a[i], job.what, job.factor);
}

/// P A - L U row by row in f64: the sums lose nothing that matters beside the rounding of the factors.
template <class T>
double ratio_of(const const_matrices& original, const const_matrices& factors, const std::int32_t* pivots) {
    const index_t m = factors.rows, n = factors.columns;
    const auto a = elements<T>(original), lu = elements<T>(factors);
    std::vector<index_t> from(static_cast<std::size_t>(m));
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<index_t>(i);
    for (index_t k = 0; pivots && k < factors.diagonal(); ++k)
        std::swap(from[static_cast<std::size_t>(k)], from[static_cast<std::size_t>(pivots[k])]);
    const double scale = residual_scale(
        larger(measured(original, measure::max_magnitude), measured(factors, measure::max_magnitude_upper)));
    using W = wide_of<T>;
    std::vector<W> row(static_cast<std::size_t>(n));
    std::vector<double> error(row.size());
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j)
            row[static_cast<std::size_t>(j)] =
                scale * static_cast<W>(a(from[static_cast<std::size_t>(i)], j));
        for (index_t k = 0; k <= std::min(i, n - 1); ++k) {
            const W l = k == i ? 1 : static_cast<W>(lu(i, k));
            for (index_t j = k; j < n; ++j)
                row[static_cast<std::size_t>(j)] -= l * (scale * static_cast<W>(lu(k, j)));
        }
        for (std::size_t j = 0; j < row.size(); ++j) error[j] += magnitude(row[j]);
    }
    double most = 0;
    for (const double sum : error) most = larger(most, sum);
    return ratio_of_error(most, original, one_norm<T>(original, scale));
}

void residual_on_host(residual_job& job) {
    for (index_t i = 0; i < job.a.count(); ++i) {
        const std::int32_t* pivots = job.pivots ? job.pivots + job.factors.pivot_start(i) : nullptr;
        job.ratio = larger(job.ratio, residual_ratio(job.a[i], job.factors[i], pivots));
    }
}

}  // namespace

void determinants_on_host(determinant_job& job) {
    for (index_t i = 0; i < job.factors.count(); ++i) {
        const lu_determinant_result d =
            determinant_of(job.factors[i], job.pivots ? job.pivots + job.factors.pivot_start(i) : nullptr);
        write_sign(job.sign, i, job.factors.type(), d);
        job.log_magnitude[i] = d.log_magnitude;
    }
}

double measured(const const_matrices& m, measure what, double factor) {
    return with_any_type(m.type, [&](auto zero) {
        using T = decltype(zero);
        return what == measure::one_norm
                   ? one_norm<T>(m, factor)
                   : factor * largest_magnitude<T>(m, what == measure::max_magnitude_upper);
    });
}

double residual_ratio(const const_matrices& a, const const_matrices& factors, const std::int32_t* pivots) {
    return with_any_type(a.type, [&](auto zero) { return ratio_of<decltype(zero)>(a, factors, pivots); });
}

double ratio_of_error(double error, const const_matrices& a, double one_norm) {
    const double epsilon = with_any_type(a.type, [](auto zero) {
        return static_cast<double>(std::numeric_limits<real_of<decltype(zero)>>::epsilon());
    });
    // In this order no quotient of small norms loses digits below the normal range.
    return error == 0 ? 0 : error / one_norm / (static_cast<double>(std::max(a.rows, a.columns)) * epsilon);
}

extern constinit const catalogue::row<measure_job> measure_reference_plain{
    "reference/plain", "row by row", measure_on_host, nullptr, nullptr, true};

extern constinit const catalogue::row<determinant_job> determinant_reference_plain{
    "reference/plain", "down the diagonal", determinants_on_host, nullptr, nullptr, true};

extern constinit const catalogue::row<residual_job> residual_reference_plain{
    "reference/plain", "row by row in f64", residual_on_host, nullptr, nullptr, true};

}  // namespace wale::lu
