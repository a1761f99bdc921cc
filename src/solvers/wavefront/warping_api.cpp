// warping_api - checks the arguments of calls that warp series, selects a variant, runs it, reports.
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <wale/buffer.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "cuda/device_api.hpp"
#include "cuda/reachable.hpp"
#include "solvers/wavefront/warping/problem.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using namespace wavefront;
using base::refuse;
using base::text;

template <class T>
warping_measure checked(index_t dimensions, const warping_options& o) {
    if (dimensions < 1) refuse("dimensions", "is " + text(dimensions), "1 or more");
    base::check_enumerator("options", "cost", o.cost, dtw_cost::squared);
    if (o.window < -1) refuse("options.window", "is " + text(o.window), "0 or more, or -1 for none");
    const T gamma = static_cast<T>(o.gamma);
    // A soft minimum lies up to gamma log 3 below the least of three, and paths have up to 2^32 cells.
    constexpr auto most = static_cast<T>(sizeof(T) == 4 ? 0x1p88 : 0x1p984);
    if (o.gamma != 0 && !(gamma >= std::numeric_limits<T>::min() && gamma <= most)) {
        char digits[32];
        char* const end = std::to_chars(digits, digits + sizeof digits, o.gamma).ptr;
        refuse(
            "options.gamma", "is " + std::string(digits, end),
            sizeof(T) == 4 ? "0, or a positive float32 up to 2^88" : "0, or a positive float64 up to 2^984");
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

/// Whether a device has it: numbers that CUDA's rows look at themselves.
bool on_device(const execution& where, const void* data) {
    return backend_of(where) == backend::cuda && data != nullptr &&
           cuda::require().kind(data) == cuda::pointer_kind::device;
}

/// A side whose offsets are on the host, and are right.
template <class T>
class checked_side {
public:
    checked_side(const execution& where, const char* name, const series_batch<T>& side)
        : data_(side.data), offsets_(side.offsets) {
        if (side.count < 0) refuse(name, text(side.count) + " series", "0 or more");
        if (side.count > 0 && side.offsets == nullptr) refuse(name, "has no offsets", "one more than series");
        if (on_device(where, side.offsets)) {
            copy_.resize(static_cast<std::size_t>(side.count) + 1);
            copy_bytes(where, copy_.data(), side.offsets, (side.count + 1) * index_t{sizeof(index_t)});
            offsets_ = copy_.data();
        }
        const bool numbers_here = !on_device(where, side.data);
        for (index_t k = 0; k < side.count; ++k) {
            const index_t begin = offsets_[k], end = offsets_[k + 1];
            const std::string one = std::string(name) + "[" + text(k) + "]";
            if (begin < 0 || end <= begin)
                refuse(one, "is [" + text(begin) + ", " + text(end) + ")",
                       "ascending offsets and one point or more");
            if (side.data == nullptr) refuse(name, "has no numbers", "those of its series");
            if (numbers_here)
                check_numbers(one,
                              std::span<const T>(side.data + begin * side.dimensions,
                                                 static_cast<std::size_t>((end - begin) * side.dimensions)));
        }
    }
    [[nodiscard]] series_side side() const { return {data_, offsets_}; }

private:
    const T* data_;
    const index_t* offsets_;
    std::vector<index_t> copy_;  // of a device's
};

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
    job.measure = checked<T>(queries.dimensions, o);
    if (queries.dimensions != targets.dimensions)
        refuse("targets", "points have " + text(targets.dimensions) + " dimensions",
               text(queries.dimensions) + " as the queries");
    job.where = where;
    if (backend_of(where) == backend::cuda) catalogue::check_available(backend::cuda);
    const checked_side<T> first(where, "queries", queries);
    const std::optional<checked_side<T>> second =
        symmetric ? std::nullopt : std::optional<checked_side<T>>(std::in_place, where, "targets", targets);
    job.queries = first.side();
    job.targets = symmetric ? job.queries : second->side();
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
    // On CUDA, too, answers may be in host memory.
    cuda::check_reachable(on_cpu{}, "answers", answers.data(), answers.mapping().required_span_size());
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

/// Numbers on the host: every row of a path walks back there.
template <class T>
class on_host {
public:
    on_host(const execution& where, std::span<const T> numbers) : numbers_(numbers) {
        if (numbers.empty() || !on_device(where, numbers.data())) return;
        copy_.resize(numbers.size());
        copy_bytes(where, copy_.data(), numbers.data(), static_cast<index_t>(numbers.size_bytes()));
        numbers_ = copy_;
    }
    [[nodiscard]] std::span<const T> numbers() const { return numbers_; }

private:
    std::span<const T> numbers_;
    std::vector<T> copy_;  // of a device's
};

/// All but where the answers go.
template <class T>
warping_path_job path_job(const execution& where, const on_host<T>& a, const on_host<T>& b,
                          index_t dimensions, const warping_options& o) {
    warping_path_job job;
    job.measure = checked<T>(dimensions, o);
    job.where = where;
    job.a = checked_series("a", a.numbers(), dimensions);
    job.b = checked_series("b", b.numbers(), dimensions);
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
    if (backend_of(where) == backend::cuda) catalogue::check_available(backend::cuda);
    const on_host<T> x(where, a), y(where, b);
    warping_path_job job = path_job(where, x, y, dimensions, o);
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
    if (backend_of(where) == backend::cuda) catalogue::check_available(backend::cuda);
    const on_host<T> x(where, a), y(where, b);
    warping_path_job job = path_job(where, x, y, dimensions, o);
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
