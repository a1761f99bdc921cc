// reference - defines the result: factors in f64, solves, and takes one step of refinement.
#include <cstddef>

#include "solvers/lu/inspect/shared/measures.hpp"
#include "solvers/lu/problem.hpp"
#include "solvers/lu/refined/shared/units.hpp"

namespace wale::lu {
namespace {

/// r = b - A x for one column, and |r| / (|A| |x| + |b|) in the infinity norm.
double residual_of(const units& system, const strided<double>& x, index_t column, std::vector<double>& r) {
    const auto a = elements<double>(system.a());
    double residual = 0, size = 0, right = 0;
    for (index_t i = 0; i < system.a().rows; ++i) {
        const double b = system.b()(i, column);
        double sum = b;
        for (index_t j = 0; j < system.a().columns; ++j) sum -= a(i, j) * x(j, column);
        r[static_cast<std::size_t>(i)] = sum;
        residual = larger(residual, std::fabs(sum));
        size = larger(size, std::fabs(x(i, column)));
        right = larger(right, std::fabs(b));
    }
    if (!std::isfinite(system.norm())) return std::numeric_limits<double>::quiet_NaN();
    return residual == 0 ? 0 : residual / (system.norm() * size + right);
}

std::string refuses_lower_precision(const refined_job& job) {
    const bool f64 = job.precision == factor_precision::automatic || job.precision == factor_precision::f64;
    return f64 ? "" : std::string("factors in float64, not in ") + name_of(job.precision);
}

void refined_reference(refined_job& job) {
    const index_t n = job.a.rows, right_sides = job.b.columns;
    const units system(job, 1);
    std::vector<double> factors(static_cast<std::size_t>(n * n)), r(static_cast<std::size_t>(n));
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
    const matrices f(view<double, 2>(factors.data(), {n, n}));
    const auto a = elements<double>(system.a());
    const auto to = elements<double>(f), x = elements<double>(job.x);
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < n; ++j) to(i, j) = a(i, j);
        for (index_t j = 0; j < right_sides; ++j) x(i, j) = system.b()(i, j);
    }
    lu_result outcome;
    factor_job factor{.where = job.where, .a = f, .out = {.pivots = pivots.data()}, .result = &outcome};
    run_factor(factor, "automatic");
    solve_job solve{.where = job.where, .factors = const_matrices(f), .pivots = pivots.data(), .b = job.x};
    run_solve(solve, "automatic");
    for (index_t column = 0; column < right_sides; ++column) {
        (void)residual_of(system, x, column, r);
        solve.b = matrices(view<double, 2>(r.data(), {n, 1}));
        run_solve(solve, "automatic");
        for (index_t i = 0; i < n; ++i) x(i, column) += r[static_cast<std::size_t>(i)];
    }
    const block<double> all{x.data, job.x.leading, job.x.order};
    system.leave(all);
    system.enter(all);  // as rounded as the caller gets it
    for (index_t column = 0; column < right_sides; ++column)
        job.result->backward_error = larger(job.result->backward_error, residual_of(system, x, column, r));
    system.leave(all);
    job.result->first_zero = outcome.first_zero;
    job.result->iterations = 1;
    job.result->outcome = "float64 factors, refined once";
}

}  // namespace

extern constinit const catalogue::row<refined_job> refined_reference_plain{
    "reference/plain", "f64 factors and refinement: the reference", refined_reference,
    refuses_lower_precision};

}  // namespace wale::lu
