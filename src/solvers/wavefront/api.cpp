// api - checks arguments, selects a variant, runs it, reports.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <wale/buffer.hpp>

#include "base/argument.hpp"
#include "base/checked.hpp"
#include "base/decimal_text.hpp"
#include "base/enumerator.hpp"
#include "cuda/reachable.hpp"
#include "solvers/wavefront/check.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/length/shared/pair_part.hpp"
#include "solvers/wavefront/spread_pairs.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using namespace wavefront;

std::string text(index_t n) {
    return std::to_string(n);
}

template <class T>
void check_table(const execution& where, const matrix_view<T>& table, index_t rows, index_t columns) {
    if (table.extent(0) != rows || table.extent(1) != columns)
        base::refuse("table", "shape is " + text(table.extent(0)) + " x " + text(table.extent(1)),
                     text(rows) + " x " + text(columns));
    const index_t pitch = table.mapping().pitch;
    if (pitch < columns) base::refuse("table", "pitch is " + text(pitch), "at least " + text(columns));
    (void)checked_bytes(pitch, sizeof(T));
    (void)checked_bytes(checked_bytes(pitch, sizeof(T)), rows);
    cuda::check_reachable(where, "table", table.data(), table.mapping().required_span_size());
}

/// The largest magnitude that a cell or a border value can have.
double largest_value(const wavefront_options& o, index_t m, index_t n) {
    const auto rows = static_cast<double>(m);
    const auto columns = static_cast<double>(n);
    if (o.kind == recurrence::lcs) return std::min(rows, columns);
    if (o.kind == recurrence::edit) return std::max(rows, columns);
    if (o.kind == recurrence::summed_area) return 255.0 * rows * columns;
    const double step = std::max({std::abs(double{1} * o.score.match), std::abs(double{1} * o.score.mismatch),
                                  std::abs(double{1} * o.score.gap)});
    return step * (rows + columns + 1);  // no path has more steps
}

template <class T>
void check_range(const wavefront_options& o, index_t m, index_t n) {
    const double largest = largest_value(o, m, n);
    const auto limit = static_cast<double>(std::numeric_limits<T>::max());
    if (largest > limit)
        throw bad_argument("table: values may reach " + base::decimal_text(largest) + ", " +
                           text(8 * static_cast<index_t>(sizeof(T))) + "-bit cells hold up to " +
                           base::decimal_text(limit));
}

void check_kind(const wavefront_options& o, std::initializer_list<recurrence> allowed, const char* inputs) {
    base::check_enumerator("options", "kind", o.kind, recurrence::summed_area);
    base::check_enumerator("options", "cost", o.cost, dtw_cost::squared);
    if (std::find(allowed.begin(), allowed.end(), o.kind) == allowed.end())
        throw bad_argument(std::string("options.kind: this recurrence does not take ") + inputs);
    if (o.tile.rows < 0 || o.tile.columns < 0)
        base::refuse("options.tile", "is " + text(o.tile.rows) + " x " + text(o.tile.columns),
                     "0 (tuned) or more");
}

template <class Job>
void run(catalogue::table<Job>& (*get)(), const std::string& wanted, Job& job, report& out) {
    job.run = &out;
    catalogue::run(get(), wanted, job, out);
}

template <class T>
fill_job job_for(const execution& where, const matrix_view<T>& table, const wavefront_options& o,
                 element type) {
    fill_job job;
    job.where = where;
    job.kind = o.kind;
    job.score = o.score;
    job.cost = o.cost;
    job.table = table.data();
    job.type = type;
    job.rows = table.extent(0);
    job.columns = table.extent(1);
    job.pitch = table.mapping().pitch;
    job.tile = {std::min(o.tile.rows, job.rows), std::min(o.tile.columns, job.columns)};
    return job;
}

wavefront_result run_fill(fill_job& job, const std::string& wanted) {
    wavefront_result result;
    result.run.work = static_cast<double>(job.rows) * static_cast<double>(job.columns);
    result.run.bytes = result.run.work * size_of(job.type);
    run(fill_rows, wanted, job, result.run);
    return result;
}

template <class T>
wavefront_result fill_sequences(const execution& where, sequence_view a, sequence_view b,
                                matrix_view<T> table, const wavefront_options& o, element type) {
    check_kind(o, {recurrence::lcs, recurrence::edit, recurrence::global}, "sequences of symbols");
    fill_job job = job_for(where, table, o, type);
    job.a = checked(where, "a", a);
    job.b = checked(where, "b", b);
    check_same_width("a, b", job.a.bytes, job.b.bytes);
    check_table(where, table, a.size(), b.size());
    check_range<T>(o, a.size(), b.size());
    return run_fill(job, o.variant);
}

template <class T>
wavefront_result fill_image(const execution& where, matrix_view<const std::uint8_t> image,
                            matrix_view<T> table, const wavefront_options& o, element type) {
    check_kind(o, {recurrence::summed_area}, "an image");
    check_table(where, table, image.extent(0), image.extent(1));
    cuda::check_reachable(where, "image", image.data(), image.mapping().required_span_size());
    if (image.mapping().pitch < image.extent(1))
        base::refuse("image", "pitch is " + text(image.mapping().pitch), "at least " + text(image.extent(1)));
    check_range<T>(o, image.extent(0), image.extent(1));
    fill_job job = job_for(where, table, o, type);
    job.image = image.data();
    job.image_pitch = image.mapping().pitch;
    return run_fill(job, o.variant);
}

template <class T>
symbols checked_series(const execution& where, const char* name, std::span<const T> s) {
    const auto size = static_cast<index_t>(s.size());
    cuda::check_reachable(where, name, s.data(), size);
    std::vector<T> fetched;  // O(m + n) before O(m n) work
    std::span<const T> seen = s;
    if (backend_of(where) == backend::cuda && size > 0) {
        fetched.resize(s.size());
        copy_bytes(where, fetched.data(), s.data(), size * index_t{sizeof(T)});
        seen = fetched;
    }
    const auto odd = std::find_if_not(seen.begin(), seen.end(), [](T v) { return std::isfinite(v); });
    if (odd != seen.end())
        base::refuse(name,
                     std::string(std::isnan(*odd) ? "NaN"
                                 : *odd > 0       ? "Inf"
                                                  : "-Inf") +
                         " at " + text(odd - seen.begin()),
                     "finite numbers");
    return {s.data(), size, sizeof(T)};
}

template <class T>
wavefront_result fill_series(const execution& where, std::span<const T> a, std::span<const T> b,
                             matrix_view<T> table, const wavefront_options& o, element type) {
    check_kind(o, {recurrence::dtw}, "float series");
    fill_job job = job_for(where, table, o, type);
    job.a = checked_series(where, "a", a);
    job.b = checked_series(where, "b", b);
    check_table(where, table, job.a.size, job.b.size);
    return run_fill(job, o.variant);
}

/// The devices among which a pair's rows are divided; null: one device, or another backend.
const on_cuda* several_for_a_pair(const execution& where, const std::string& variant) {
    const on_cuda* devices = cuda::several(where);
    if (devices != nullptr && variant != "automatic" && !catalogue::names("cuda/strips", variant))
        throw unsupported_variant("where.devices: a pair is divided by cuda/strips, and options.variant is " +
                                  variant);
    return devices;
}

double cells(const symbols& a, const symbols& b) {
    return static_cast<double>(a.size) * static_cast<double>(b.size);
}

batch_job job_for(const execution& where, sequence_batch& a, sequence_batch& b,
                  std::span<std::int32_t> answers) {
    if (a.count != b.count || a.count != static_cast<index_t>(answers.size()) || a.count < 0)
        base::refuse(
            "a, b, answers",
            text(a.count) + ", " + text(b.count) + " and " + std::to_string(answers.size()) + " entries",
            "the same");
    check_same_width("a, b", a.symbol_bytes, b.symbol_bytes);
    a = checked_batch(where, "a", a, longest_of_answers);
    b = checked_batch(where, "b", b, longest_of_answers);
    cuda::check_reachable(where, "answers", answers.data(), a.count);
    batch_job job;
    job.where = where;
    job.a = side_of(a);
    job.b = side_of(b);
    job.count = a.count;
    job.answers = answers.data();
    return job;
}

double cells(const batch_job& job) {
    double sum = 0;
    for (index_t k = 0; k < job.count; ++k) sum += cells(sequence(job.a, k), sequence(job.b, k));
    return sum;
}

template <class Call>
batch_result spread_batch(const on_cuda& devices, const batch_job& job, const sequence_batch& a,
                          const sequence_batch& b, std::span<std::int32_t> answers, const Call& call) {
    const double work = cells(job);
    batch_result result = spread_pairs<batch_result>(devices, a, b, answers, call);
    result.run.work = work;
    return result;
}

batch_result run_batch(batch_table& (*get)(), const std::string& wanted, batch_job& job) {
    batch_result result;
    if (backend_of(job.where) != backend::cuda) result.run.work = cells(job);
    run(get, wanted, job, result.run);
    return result;
}

}  // namespace

wavefront_result wavefront_fill(const execution& where, sequence_view a, sequence_view b,
                                matrix_view<std::int32_t> table, const wavefront_options& o) {
    return fill_sequences(where, a, b, table, o, element::i32);
}

wavefront_result wavefront_fill(const execution& where, sequence_view a, sequence_view b,
                                matrix_view<std::int16_t> table, const wavefront_options& o) {
    return fill_sequences(where, a, b, table, o, element::i16);
}

wavefront_result wavefront_fill(const execution& where, std::span<const float> a, std::span<const float> b,
                                matrix_view<float> table, const wavefront_options& o) {
    return fill_series(where, a, b, table, o, element::f32);
}

wavefront_result wavefront_fill(const execution& where, std::span<const double> a, std::span<const double> b,
                                matrix_view<double> table, const wavefront_options& o) {
    return fill_series(where, a, b, table, o, element::f64);
}

wavefront_result wavefront_fill(const execution& where, matrix_view<const std::uint8_t> image,
                                matrix_view<std::int32_t> table, const wavefront_options& o) {
    return fill_image(where, image, table, o, element::i32);
}

wavefront_result wavefront_fill(const execution& where, matrix_view<const std::uint8_t> image,
                                matrix_view<std::int64_t> table, const wavefront_options& o) {
    return fill_image(where, image, table, o, element::i64);
}

lcs_length_result lcs_length(const execution& where, sequence_view a, sequence_view b,
                             const length_options& o) {
    lcs_length_job job{where, checked(where, "a", a), checked(where, "b", b)};
    check_same_width("a, b", job.a.bytes, job.b.bytes);
    lcs_length_result result;
    result.run.work = cells(job.a, job.b);
    if (const on_cuda* devices = several_for_a_pair(where, o.variant))
        job.length = length_over_devices(*devices, job.a, job.b, result.run);
    else
        run(lcs_length_rows, o.variant, job, result.run);
    result.length = job.length;
    return result;
}

edit_distance_result edit_distance(const execution& where, sequence_view a, sequence_view b,
                                   const edit_options& o) {
    edit_distance_job job{where, checked(where, "a", a), checked(where, "b", b)};
    job.bound = std::min(o.bound, std::max(a.size(), b.size()));  // no distance is larger
    check_same_width("a, b", job.a.bytes, job.b.bytes);
    edit_distance_result result;
    result.run.work = cells(job.a, job.b);
    if (const on_cuda* devices = several_for_a_pair(where, o.variant))
        job.distance = distance_over_devices(*devices, job.a, job.b, result.run);
    else
        run(edit_distance_rows, o.variant, job, result.run);
    result.within_bound = o.bound < 0 || job.distance <= o.bound;
    result.distance = result.within_bound ? job.distance : o.bound + 1;
    return result;
}

lcs_string_result lcs_string(const execution& where, sequence_view a, sequence_view b,
                             const length_options& o) {
    lcs_string_result result;
    lcs_string_job job{where, checked(where, "a", a), checked(where, "b", b), &result.in_a, &result.in_b};
    check_same_width("a, b", job.a.bytes, job.b.bytes);
    result.run.work = cells(job.a, job.b);
    run(lcs_string_rows, o.variant, job, result.run);
    return result;
}

batch_result lcs_length(const execution& where, const sequence_batch& first, const sequence_batch& second,
                        std::span<std::int32_t> answers, const length_options& o) {
    sequence_batch a = first, b = second;
    batch_job job = job_for(where, a, b, answers);
    if (const on_cuda* devices = cuda::several(where))
        return spread_batch(*devices, job, a, b, answers,
                            [&](const auto&... part) { return lcs_length(part..., o); });
    return run_batch(lcs_batch_rows, o.variant, job);
}

batch_result edit_distance(const execution& where, const sequence_batch& first, const sequence_batch& second,
                           std::span<std::int32_t> answers, const edit_options& o) {
    sequence_batch a = first, b = second;
    batch_job job = job_for(where, a, b, answers);
    if (const on_cuda* devices = cuda::several(where))
        return spread_batch(*devices, job, a, b, answers,
                            [&](const auto&... part) { return edit_distance(part..., o); });
    job.bound = std::min(o.bound, longest_of_answers - 1);  // the answers hold one more
    batch_result result = run_batch(edit_batch_rows, o.variant, job);
    if (o.bound >= 0 && backend_of(where) != backend::cuda)
        for (std::int32_t& d : answers) d = static_cast<std::int32_t>(std::min<index_t>(d, job.bound + 1));
    return result;
}

}  // namespace wale
