// api - checks arguments, selects variants, runs them, reports.
#include <cmath>
#include <optional>

#include "base/argument.hpp"
#include "base/decimal_text.hpp"
#include "base/enumerator.hpp"
#include "cuda/call_memory.hpp"
#include "cuda/reachable.hpp"
#include "solvers/lu/check.hpp"
#include "solvers/lu/parts/problem.hpp"
#include "solvers/lu/problem.hpp"
#include "solvers/lu/spread.hpp"
#include "variants/run.hpp"

namespace wale {
namespace lu {
namespace {

/// Operations of LU of an m x n matrix: 2/3 n^3 where it is square.
double factor_operations(const matrix_shape& a) {
    const auto m = static_cast<double>(a.rows), n = static_cast<double>(a.columns);
    const double k = std::fmin(m, n);
    return k * (2 * m * n - k * (m + n) + 2 * k * k / 3);
}

template <class M, class F>
double sum_over(const batch_of<M>& all, F&& f) {
    if (!all.listed()) return static_cast<double>(all.count()) * f(all.uniform());
    double sum = 0;
    for (const M& m : all.list()) sum += f(m);
    return sum;
}

double bytes_of_all(const auto& all) {
    return sum_over(all, [](const matrix_shape& m) {
        return static_cast<double>(m.rows) * static_cast<double>(m.columns) *
               static_cast<double>(bytes_of(m.type));
    });
}

template <class Job>
void select_and_run(const catalogue::table<Job>& all, Job& job) {
    catalogue::chosen(all, "automatic", job).run(job);
}

const_batch to_read(const batch& all, std::vector<const_matrices>& list) {
    if (!all.listed()) return const_matrices(all.uniform());
    list.assign(all.list().begin(), all.list().end());
    return std::span<const const_matrices>(list);
}

/// One number for each matrix, in the memory of `where`.
void measure_all(const factor_job& job, measure what, double factor, double* values) {
    std::vector<const_matrices> list;
    measure_job m{.where = job.where,
                  .a = to_read(job.a, list),
                  .what = what,
                  .factor = factor,
                  .values = values,
                  .asynchronous = job.asynchronous};
    run_measure(m);
}

std::string shape_text(const matrix_shape& m) {
    const std::string one =
        std::to_string(m.rows) + " x " + std::to_string(m.columns) + " " + name_of(m.type);
    return m.count == 1 ? one : std::to_string(m.count) + " of " + one;
}

void check_options(const factor_job& job, const lu_options& o) {
    base::check_enumerator("options", "pivoting", o.pivoting, pivoting::tournament);
    if (!(o.perturbation >= 0) || !std::isfinite(o.perturbation))
        base::refuse("options.perturbation", "is " + base::decimal_text(o.perturbation),
                     "0 or a small positive number");
    if (o.perturbation > 0 && o.pivoting != pivoting::none)
        base::refuse("options.perturbation", "is " + base::decimal_text(o.perturbation),
                     "0 unless pivoting is none");
    if (o.asynchronous && (o.growth || o.condition))
        throw bad_argument("options.asynchronous: does not go with growth or condition");
    if (o.pivoting != pivoting::none && job.out.pivots == nullptr &&
        job.a.largest([](const matrices& m) { return m.diagonal(); }) > 0)
        base::refuse("out.pivots", "is null", "an array unless pivoting is none");
    if (o.condition || job.out.sign || job.out.log_magnitude)
        check_square(job.a.listed() ? "all" : "a", job.a);
}

void check_outputs(const factor_job& job) {
    const auto reachable = [&](const char* name, const auto* p, index_t size) {
        if (p == nullptr) return;
        cuda::check_reachable(job.where, name, p, size);
        if (job.a.listed()) return;
        const matrices& a = job.a.uniform();
        if (base::overlap(p, size * index_t{sizeof(*p)}, a.data, a.span_elements() * bytes_of(a.type)))
            throw bad_argument(std::string(name) + ": overlaps a");
    };
    index_t pivots = 0, rows = 0;
    for (index_t i = 0; job.a.listed() && i < job.a.count(); ++i) {
        pivots += job.a[i].diagonal();
        rows += job.a[i].rows;
    }
    if (!job.a.listed()) {
        pivots = checked_bytes(job.a.count(), job.a.uniform().diagonal());
        rows = checked_bytes(job.a.count(), job.a.uniform().rows);
    }
    reachable("out.pivots", job.out.pivots, pivots);
    reachable("out.permutation", job.out.permutation, rows);
    reachable("out.first_zero", job.out.first_zero, job.a.count());
    reachable("out.sign", job.out.sign, job.is_complex() ? 2 * job.a.count() : job.a.count());
    reachable("out.log_magnitude", job.out.log_magnitude, job.a.count());
}

/// Larger of all growth factors: max|U| over max|A|; 0 of a matrix of zeros.
double largest_growth(const std::vector<double>& before, const std::vector<double>& after) {
    double most = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double g = after[i] == 0 ? 0 : after[i] / before[i];
        if (g > most || std::isnan(g)) most = g;
    }
    return most;
}

/// Of A as it is, and of A times this where that overflows.
constexpr double smaller = 0x1p-32;

/// norms: of all matrices, then of all of them times `smaller`.
void estimate_condition(const factor_job& job, const std::vector<double>& norms, lu_result& result) {
    double least = 1;
    for (index_t i = 0; i < job.a.count(); ++i) {
        const std::int32_t* pivots = job.out.pivots ? job.out.pivots + job.a.pivot_start(i) : nullptr;
        const bool fits = std::isfinite(norms[static_cast<std::size_t>(i)]);
        const double one = reciprocal_condition(
            job.where, job.a[i], job.pivoting == pivoting::none ? nullptr : pivots,
            norms[static_cast<std::size_t>(fits ? i : i + job.a.count())], fits ? 1 : smaller);
        if (one < least || std::isnan(one)) least = one;
    }
    result.reciprocal_condition = result.singular > 0 ? 0 : least;
}

void note_divergence(const factor_job& job, lu_result& r) {
    if (job.pivoting != pivoting::none) return;
    const double limit = is_single(job.a.type()) ? worrying_growth<float>() : worrying_growth<double>();
    r.diverged = r.not_finite > 0 || r.growth > limit || std::isnan(r.growth);
}

lu_result factor_checked(factor_job& job, const lu_options& o) {
    check_options(job, o);
    check_outputs(job);
    lu_result result;
    job.result = &result;
    job.pivoting = o.pivoting;
    job.asynchronous = o.asynchronous;
    std::optional<on_cuda>
        divided;  // the devices that factor one matrix, while the host looks after the rest
    if (const on_cuda* devices = cuda::several(job.where)) {
        if (!divides(*devices, job, o.variant))
            return spread_factor(*devices, job, o.asynchronous, factor_operations,
                                 [&](factor_job& part) { return factor_checked(part, o); });
        divided = *devices;
        job.where = on_cpu{};
    }
    const index_t count = job.a.count();
    const cuda::call_memory<double> limits(job.where, o.perturbation > 0 ? count : 0),
        before(job.where, o.growth ? count : 0), norms(job.where, o.condition ? 2 * count : 0);
    if (limits.data()) measure_all(job, measure::max_magnitude, o.perturbation, limits.data());
    if (before.data()) measure_all(job, measure::max_magnitude, 1, before.data());
    if (norms.data()) {
        measure_all(job, measure::one_norm, 1, norms.data());
        measure_all(job, measure::one_norm, smaller, norms.data() + count);
    }
    job.smallest_pivot = limits.data();
    if (divided) {
        result.run.work = factor_operations(job.a[0]);
        result.run.bytes = 2 * bytes_of_all(job.a);
        factor_over_devices(*divided, job, o.variant);
    } else {
        run_factor(job, o.variant);
    }
    if (before.data()) {
        const std::vector<double> first = before.on_host();
        measure_all(job, measure::max_magnitude_upper, 1, before.data());
        result.growth = largest_growth(first, before.on_host());
    }
    if (norms.data()) estimate_condition(job, norms.on_host(), result);
    note_divergence(job, result);
    return result;
}

lu_solve_result solve_checked(solve_job& job, const lu_solve_options& o) {
    check_square("factors", job.factors);
    check_right_sides(job.factors, "b", job.b);
    check_pivots(job.where, job.factors, job.pivots);
    if (const on_cuda* devices = cuda::several(job.where))
        return spread_solve(*devices, job, o.asynchronous,
                            [&](solve_job& part) { return solve_checked(part, o); });
    lu_solve_result result;
    job.result = &result;
    job.transposed = o.transposed;
    job.conjugated = o.conjugated && job.is_complex();
    job.asynchronous = o.asynchronous;
    run_solve(job, o.variant);
    return result;
}

lu_solve_result invert_checked(inverse_job& job, const lu_solve_options& o) {
    if (o.transposed || o.conjugated)
        throw bad_argument("options.transposed, conjugated: an inverse is transposed by its caller");
    check_square("factors", job.a);
    std::vector<const_matrices> list;
    check_pivots(job.where, to_read(job.a, list), job.pivots);
    if (const on_cuda* devices = cuda::several(job.where))
        return spread_inverse(*devices, job, o.asynchronous, factor_operations,
                              [&](inverse_job& part) { return invert_checked(part, o); });
    lu_solve_result result;
    job.result = &result;
    job.asynchronous = o.asynchronous;
    result.run.work = sum_over(
        job.a, [](const matrix_shape& m) { return 4.0 / 3 * std::pow(static_cast<double>(m.rows), 3); });
    result.run.bytes = 2 * bytes_of_all(job.a);
    catalogue::run(inverse_rows(), o.variant, job, result.run);
    return result;
}

}  // namespace

void run_factor(factor_job& job, const std::string& variant) {
    report& run = job.result->run;
    run.work = sum_over(job.a, factor_operations);
    run.bytes = 2 * bytes_of_all(job.a);
    catalogue::run(factor_rows(), variant, job, run);
}

void run_measure(measure_job& job) {
    select_and_run(measure_rows(), job);
}

void run_solve(solve_job& job, const std::string& variant) {
    lu_solve_result own;
    if (job.result == nullptr) job.result = &own;
    report& run = job.result->run;
    for (index_t i = 0; i < (job.b.listed() ? job.b.count() : 1); ++i) {
        const matrices b = job.b.listed() ? job.b[i] : job.b.uniform();
        run.work += 2.0 * static_cast<double>(b.count) * static_cast<double>(b.rows) *
                    static_cast<double>(b.rows) * static_cast<double>(b.columns);
    }
    run.bytes = bytes_of_all(job.factors) + 2 * bytes_of_all(job.b);
    catalogue::run(solve_rows(), variant, job, run);
    if (job.result == &own) job.result = nullptr;
}

}  // namespace lu

lu_result lu_factor(const execution& where, const matrices& a, const lu_outputs& out,
                    const lu_options& options) {
    using namespace lu;
    check_matrices(where, "a", a, true);
    factor_job job{.where = where, .a = a, .out = out};
    return factor_checked(job, options);
}

lu_result lu_factor(const execution& where, const matrices& a, std::int32_t* pivots,
                    const lu_options& options) {
    return lu_factor(where, a, lu_outputs{.pivots = pivots}, options);
}

lu_result lu_factor(const execution& where, std::span<const matrices> all, const lu_outputs& out,
                    const lu_options& options) {
    using namespace lu;
    factor_job job{.where = where, .a = all, .out = out};
    check_batch(where, "all", job.a, true);
    return factor_checked(job, options);
}

lu_solve_result lu_solve(const execution& where, const const_matrices& factors, const std::int32_t* pivots,
                         const matrices& b, const lu_solve_options& options) {
    using namespace lu;
    check_matrices(where, "factors", factors, false);
    check_matrices(where, "b", b, true);
    check_apart("b", b, "factors", factors);
    solve_job job{.where = where, .factors = factors, .pivots = pivots, .b = b};
    return solve_checked(job, options);
}

lu_solve_result lu_solve(const execution& where, std::span<const const_matrices> factors,
                         const std::int32_t* pivots, std::span<const matrices> b,
                         const lu_solve_options& options) {
    using namespace lu;
    solve_job job{.where = where, .factors = factors, .pivots = pivots, .b = b};
    check_batch(where, "factors", job.factors, false);
    check_batch(where, "b", job.b, true);
    return solve_checked(job, options);
}

lu_solve_result lu_inverse(const execution& where, const matrices& factors, const std::int32_t* pivots,
                           const lu_solve_options& options) {
    using namespace lu;
    check_matrices(where, "factors", factors, true);
    inverse_job job{.where = where, .a = factors, .pivots = pivots};
    return invert_checked(job, options);
}

lu_solve_result lu_inverse(const execution& where, std::span<const matrices> factors,
                           const std::int32_t* pivots, const lu_solve_options& options) {
    using namespace lu;
    inverse_job job{.where = where, .a = factors, .pivots = pivots};
    check_batch(where, "factors", job.a, true);
    return invert_checked(job, options);
}

void lu_determinant(const execution& where, const const_matrices& factors, const std::int32_t* pivots,
                    double* sign, double* log_magnitude) {
    using namespace lu;
    check_matrices(where, "factors", factors, false);
    determinant_job job{
        .where = where, .factors = factors, .pivots = pivots, .sign = sign, .log_magnitude = log_magnitude};
    check_square("factors", job.factors);
    check_pivots(where, job.factors, pivots);
    cuda::check_reachable(where, "sign", sign, is_complex(factors.type) ? 2 * factors.count : factors.count);
    cuda::check_reachable(where, "log_magnitude", log_magnitude, factors.count);
    select_and_run(determinant_rows(), job);
}

lu_determinant_result lu_determinant(const execution& where, const const_matrices& factors,
                                     const std::int32_t* pivots) {
    if (factors.count != 1)
        base::refuse("factors", "has " + std::to_string(factors.count) + " matrices", "1");
    const cuda::call_memory<double> values(where, 3);
    lu_determinant(where, factors, pivots, values.data(), values.data() + 2);
    const std::vector<double> found = values.on_host();
    return {found[0], found[2], is_complex(factors.type) ? found[1] : 0};
}

double lu_residual_ratio(const execution& where, const const_matrices& a, const const_matrices& factors,
                         const std::int32_t* pivots) {
    using namespace lu;
    check_matrices(where, "a", a, false);
    check_matrices(where, "factors", factors, false);
    if (a.rows != factors.rows || a.columns != factors.columns || a.count != factors.count ||
        a.type != factors.type)
        base::refuse("factors", "is " + shape_text(factors), shape_text(a) + " like a");
    residual_job job{.where = where, .a = a, .factors = factors, .pivots = pivots};
    check_pivots(where, job.factors, pivots);
    if (a.span_elements() == 0) return 0;                 // however many matrices
    if (const on_cuda* devices = cuda::several(where)) {  // the first one has room for both, or says so
        cuda::carrier first(devices->devices[0]);
        const cuda::part all{0, a.count};
        return lu_residual_ratio(first.where(), first.part_of(a, all), first.part_of(factors, all),
                                 first.part_of(pivots, all, cuda::traffic::in, factors.diagonal()));
    }
    select_and_run(residual_rows(), job);
    return job.ratio;
}

const char* name_of(factor_precision p) noexcept {
    constexpr const char* names[] = {"automatic", "float16", "tf32", "float32", "float64"};
    return names[static_cast<int>(p)];
}

lu_refined_result lu_solve_refined(const execution& where, const const_matrices& a, const const_matrices& b,
                                   const matrices& x, const lu_refined_options& options) {
    using namespace lu;
    check_matrices(where, "a", a, false);
    check_matrices(where, "b", b, false);
    check_matrices(where, "x", x, true);
    base::check_enumerator("options", "precision", options.precision, factor_precision::f64);
    for (const auto& [name, m] : {std::pair<const char*, const_matrices>{"a", a}, {"b", b}, {"x", x}}) {
        if (m.type != scalar::f64) base::refuse(name, std::string("is ") + name_of(m.type), "float64");
        if (m.count != 1) base::refuse(name, "has " + std::to_string(m.count) + " matrices", "1");
    }
    const const_batch square(a);
    check_square("a", square);
    check_right_sides(square, "x", batch(x));
    if (b.rows != x.rows || b.columns != x.columns)
        base::refuse("b", "is " + shape_text(b), shape_text(x) + " like x");
    check_apart("x", x, "a", a);
    check_apart("x", x, "b", b);
    if (options.max_iterations < 0)
        base::refuse("options.max_iterations", "is " + std::to_string(options.max_iterations), "0 or more");
    lu_refined_result result;
    refined_job job{.where = where,
                    .a = a,
                    .b = b,
                    .x = x,
                    .precision = options.precision,
                    .max_iterations = options.max_iterations,
                    .result = &result};
    if (a.rows == 0) job.b.columns = job.x.columns = 0;  // however many columns without elements
    result.run.work = factor_operations(a);
    result.run.bytes = 2 * 8 * static_cast<double>(a.rows) * static_cast<double>(a.columns);
    catalogue::run(refined_rows(), options.variant, job, result.run);
    if (result.first_zero >= 0)
        result.outcome =
            "is singular: pivot " + std::to_string(result.first_zero) + " of the float64 factors is 0";
    return result;
}

}  // namespace wale
