// reference - the truth: factors in f64, solves, and takes one step of refinement.
#include <cstddef>

#include "solvers/lu/problem.hpp"
#include "solvers/lu/refined/cpu.hpp"

namespace wale::lu {
namespace {

/// The larger; NaN if either is.
double larger(double a, double b) {
    return a > b || std::isnan(a) ? a : b;
}

struct column_error {
    double residual = 0, x = 0, b = 0;  // infinity norms
};

/// r = b - A x for one column.
column_error residual_of(const refined_job& job, index_t column, std::vector<double>& r) {
    const auto a = elements<double>(job.a);
    const auto b = elements<double>(job.b);
    const auto x = elements<double>(job.x);
    column_error e;
    for (index_t i = 0; i < job.a.rows; ++i) {
        double sum = b(i, column);
        for (index_t j = 0; j < job.a.columns; ++j) sum -= a(i, j) * x(j, column);
        r[static_cast<std::size_t>(i)] = sum;
        e.residual = larger(e.residual, std::fabs(sum));
        e.x = larger(e.x, std::fabs(x(i, column)));
        e.b = larger(e.b, std::fabs(b(i, column)));
    }
    return e;
}

double infinity_norm(const const_matrices& m) {
    const auto a = elements<double>(m);
    double most = 0;
    for (index_t i = 0; i < m.rows; ++i) {
        double sum = 0;
        for (index_t j = 0; j < m.columns; ++j) sum += std::fabs(a(i, j));
        most = larger(most, sum);
    }
    return most;
}

}  // namespace

std::string refuses_lower_precision(const refined_job& job) {
    const bool f64 = job.precision == factor_precision::automatic || job.precision == factor_precision::f64;
    return f64 ? "" : std::string("factors in float64, not in ") + name_of(job.precision);
}

void refined_reference(refined_job& job) {
    const index_t n = job.a.rows, right_sides = job.b.columns;
    std::vector<double> factors(static_cast<std::size_t>(n * n)), r(static_cast<std::size_t>(n));
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
    const matrices f(view<double, 2>(factors.data(), {n, n}));
    const auto a = elements<double>(job.a), b = elements<double>(job.b);
    const auto to = elements<double>(f), x = elements<double>(job.x);
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < n; ++j) to(i, j) = a(i, j);
        for (index_t j = 0; j < right_sides; ++j) x(i, j) = b(i, j);
    }
    lu_result outcome;
    factor_job factor{.where = job.where, .a = f, .out = {.pivots = pivots.data()}, .result = &outcome};
    run_factor(factor, "automatic");
    solve_job solve{.where = job.where, .factors = const_matrices(f), .pivots = pivots.data(), .b = job.x};
    run_solve(solve, "automatic");
    const double norm = infinity_norm(job.a);
    for (index_t column = 0; column < right_sides; ++column) {
        (void)residual_of(job, column, r);
        solve.b = matrices(view<double, 2>(r.data(), {n, 1}));
        run_solve(solve, "automatic");
        for (index_t i = 0; i < n; ++i) x(i, column) += r[static_cast<std::size_t>(i)];
        const column_error e = residual_of(job, column, r);
        const double scale = norm * e.x + e.b;
        job.result->backward_error =
            larger(job.result->backward_error, e.residual == 0 ? 0 : e.residual / scale);
    }
    job.result->first_zero = outcome.first_zero;
    job.result->iterations = 1;
    job.result->outcome = "float64 factors, refined once";
}

}  // namespace wale::lu
