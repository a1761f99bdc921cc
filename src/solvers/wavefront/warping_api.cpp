// warping_api - checks the arguments of calls that warp series, selects a variant, runs it, reports.
#include <charconv>
#include <cmath>
#include <limits>

#include "base/argument.hpp"
#include "solvers/wavefront/warping/problem.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using namespace wavefront;
using base::refuse;
using base::text;

template <class T>
warping_measure checked(const execution& where, const char* call, index_t dimensions,
                        const warping_options& o) {
    if (backend_of(where) == backend::cuda)
        throw unsupported_variant(std::string(call) +
                                  ": has no variant on cuda yet, expected backend cpu or reference");
    if (dimensions < 1) refuse("dimensions", "is " + text(dimensions), "1 or more");
    if (o.window < -1) refuse("options.window", "is " + text(o.window), "0 or more, or -1 for none");
    const T gamma = static_cast<T>(o.gamma);
    if (o.gamma != 0 && !(gamma >= std::numeric_limits<T>::min() && std::isfinite(gamma))) {
        char digits[32];
        char* const end = std::to_chars(digits, digits + sizeof digits, o.gamma).ptr;
        refuse("options.gamma", "is " + std::string(digits, end),
               sizeof(T) == 4 ? "0, or a positive float32" : "0, or a positive float64");
    }
    return {sizeof(T) == 4 ? element::f32 : element::f64, dimensions, o.cost, o.window, o.gamma};
}

template <class T>
void check_numbers(const std::string& name, std::span<const T> numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k)
        if (!std::isfinite(numbers[k]))
            refuse(name, (std::isnan(numbers[k]) ? "NaN at " : "Inf at ") + std::to_string(k),
                   "finite numbers");
}

template <class T>
series_side checked_side(const char* name, const series_batch<T>& side) {
    if (side.count < 0) refuse(name, text(side.count) + " series", "0 or more");
    for (index_t k = 0; k < side.count; ++k) {
        const index_t begin = side.offsets[k], end = side.offsets[k + 1];
        const std::string one = std::string(name) + "[" + text(k) + "]";
        if (begin < 0 || end <= begin)
            refuse(one, "is [" + text(begin) + ", " + text(end) + ")",
                   "ascending offsets and one point or more");
        check_numbers(one, std::span<const T>(side.data + begin * side.dimensions,
                                              static_cast<std::size_t>((end - begin) * side.dimensions)));
    }
    return {side.data, side.offsets};
}

double cells(const warping_job& job) {
    double sum = 0;
    for (index_t q = 0; q < job.query_count; ++q)
        for (index_t t = job.symmetric ? q : 0; t < job.target_count; ++t)
            sum += warping_band(job.queries.offsets[q + 1] - job.queries.offsets[q],
                                job.targets.offsets[t + 1] - job.targets.offsets[t], job.measure.window)
                       .cells();
    return sum;
}

template <class T>
warping_result run_costs(const execution& where, const series_batch<T>& queries,
                         const series_batch<T>& targets, matrix_view<T> answers, const warping_options& o,
                         bool symmetric) {
    warping_job job;
    job.measure = checked<T>(where, "warping_costs", queries.dimensions, o);
    if (queries.dimensions != targets.dimensions)
        refuse("targets", "points have " + text(targets.dimensions) + " dimensions",
               text(queries.dimensions) + " as the queries");
    job.where = where;
    job.queries = checked_side("queries", queries);
    job.targets = symmetric ? job.queries : checked_side("targets", targets);
    job.query_count = queries.count;
    job.target_count = targets.count;
    job.symmetric = symmetric;
    if (answers.extent(0) != queries.count || answers.extent(1) != targets.count)
        refuse("answers", "shape is " + text(answers.extent(0)) + " x " + text(answers.extent(1)),
               text(queries.count) + " x " + text(targets.count));
    job.answers = answers.data();
    job.pitch = answers.mapping().pitch;
    if (job.pitch < targets.count)
        refuse("answers", "pitch is " + text(job.pitch), "at least " + text(targets.count));
    warping_result out;
    out.run.work = cells(job);
    job.run = &out.run;
    catalogue::run(warping_rows(), o.variant, job, out.run);
    return out;
}

template <class T>
symbols checked_series(const char* name, std::span<const T> numbers, index_t dimensions) {
    const std::ptrdiff_t size = std::ssize(numbers);
    if (size == 0 || size % dimensions != 0)
        refuse(name, "has " + text(size) + " numbers", "one point of " + text(dimensions) + " or more");
    check_numbers(name, numbers);
    return {numbers.data(), size / dimensions, sizeof(T)};
}

/// All but where the answers go.
template <class T>
warping_path_job path_job(const execution& where, const char* call, std::span<const T> a,
                          std::span<const T> b, index_t dimensions, const warping_options& o) {
    warping_path_job job;
    job.measure = checked<T>(where, call, dimensions, o);
    job.where = where;
    job.a = checked_series("a", a, dimensions);
    job.b = checked_series("b", b, dimensions);
    return job;
}

void run_path(warping_path_job& job, const warping_options& o, report& run) {
    run.work = warping_band(job.a.size, job.b.size, o.window).cells();
    job.run = &run;
    catalogue::run(warping_path_rows(), o.variant, job, run);
}

}  // namespace

template <class T>
warping_result warping_costs(const execution& where, const series_batch<T>& queries,
                             const series_batch<T>& targets, std::type_identity_t<matrix_view<T>> answers,
                             const warping_options& o) {
    return run_costs(where, queries, targets, answers, o, false);
}
template <class T>
warping_result warping_costs(const execution& where, const series_batch<T>& series,
                             std::type_identity_t<matrix_view<T>> answers, const warping_options& o) {
    return run_costs(where, series, series, answers, o, true);
}

template <class T>
warping_path_result<T> warping_path(const execution& where, std::span<const T> a, std::span<const T> b,
                                    index_t dimensions, const warping_options& o) {
    if (o.gamma != 0) refuse("options.gamma", "is set", "0: a soft minimum has no path, but a gradient");
    warping_path_job job = path_job(where, "warping_path", a, b, dimensions, o);
    warping_path_result<T> out;
    job.path = &out.path;
    run_path(job, o, out.run);
    out.cost = static_cast<T>(job.cost);
    return out;
}

template <class T>
warping_gradient_result<T> warping_gradient(const execution& where, std::span<const T> a,
                                            std::span<const T> b, index_t dimensions,
                                            const warping_options& o) {
    if (o.gamma == 0) refuse("options.gamma", "is 0", "a positive number: a minimum has no gradient");
    warping_path_job job = path_job(where, "warping_gradient", a, b, dimensions, o);
    warping_gradient_result<T> out;
    out.gradient.resize(a.size());
    job.gradient = out.gradient.data();
    run_path(job, o, out.run);
    out.cost = static_cast<T>(job.cost);
    return out;
}

template warping_result warping_costs(const execution&, const series_batch<float>&,
                                      const series_batch<float>&, matrix_view<float>, const warping_options&);
template warping_result warping_costs(const execution&, const series_batch<float>&, matrix_view<float>,
                                      const warping_options&);
template warping_path_result<float> warping_path(const execution&, std::span<const float>,
                                                 std::span<const float>, index_t, const warping_options&);
template warping_gradient_result<float> warping_gradient(const execution&, std::span<const float>,
                                                         std::span<const float>, index_t,
                                                         const warping_options&);
template warping_result warping_costs(const execution&, const series_batch<double>&,
                                      const series_batch<double>&, matrix_view<double>,
                                      const warping_options&);
template warping_result warping_costs(const execution&, const series_batch<double>&, matrix_view<double>,
                                      const warping_options&);
template warping_path_result<double> warping_path(const execution&, std::span<const double>,
                                                  std::span<const double>, index_t, const warping_options&);
template warping_gradient_result<double> warping_gradient(const execution&, std::span<const double>,
                                                          std::span<const double>, index_t,
                                                          const warping_options&);

}  // namespace wale
