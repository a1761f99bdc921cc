// align_api - checks the arguments of an alignment, selects a variant, runs it, reports.
#include <array>
#include <wale/pair_alignments.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "base/large_pages.hpp"
#include "cuda/reachable.hpp"
#include "solvers/wavefront/align/shared/pairwise.hpp"
#include "solvers/wavefront/check.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "solvers/wavefront/spread_pairs.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using namespace wavefront;

constexpr index_t most_cost = 1'000'000;

void check_costs(const alignment_options& o) {
    base::check_enumerator("options", "mode", o.mode, alignment_mode::local);
    base::check_enumerator("options", "task", o.task, alignment_task::path);
    for (const auto& [name, cost] : {std::pair{"options.open", o.open}, {"options.extend", o.extend}})
        if (cost < 0 || cost > most_cost)
            base::refuse(name, std::to_string(cost), "a cost from 0 to " + std::to_string(most_cost));
}

void check_heuristics(const alignment_options& o, bool one_pair) {
    for (const auto& [name, value] : {std::pair{"options.band", o.band}, {"options.x_drop", o.x_drop}}) {
        if (value < -1) base::refuse(name, std::to_string(value), "-1 (none) or more");
        if (value >= 0 && !one_pair) base::refuse(name, std::to_string(value), "-1, of a batch");
    }
    if (o.x_drop >= 0 && o.mode == alignment_mode::local)
        base::refuse("options.x_drop", std::to_string(o.x_drop), "-1, of a local alignment");
}

/// Symbols of several bytes have no scores but those of equality.
void check_letters(const char* name, int bytes, bool by_equality) {
    if (bytes != 1 && !by_equality)
        base::refuse(name, "symbols of " + std::to_string(bytes) + " bytes", "1, letters that have scores");
}

symbols checked(const execution& where, const char* name, sequence_view s, bool by_equality) {
    check_letters(name, s.symbol_bytes(), by_equality);
    return wavefront::checked(where, name, s);
}

template <class Job>
double cells(const Job& job) {
    double cells = 0;
    for (index_t k = 0; k < job.count; ++k)
        cells += static_cast<double>(sequence(job.query, k).size) *
                 static_cast<double>(sequence(job.target, k).size);
    return cells;
}

/// Refuses what a batch of scores cannot have.
void check_batch(const alignment_options& o) {
    check_costs(o);
    check_heuristics(o, false);
    if (o.task != alignment_task::score)
        base::refuse("options.task", "more than the score", "score, or align_pairs");
}

sequence_batch checked_side(const execution& where, const char* name, const sequence_batch& side,
                            bool by_equality) {
    check_letters(name, side.symbol_bytes, by_equality);
    return checked_batch(where, name, side, std::numeric_limits<index_t>::max());
}

/// Of a profile, whose scores are instead of those of the options. Rows of the CPU alone take profiles.
alignment_options without_matrix(const execution& where, alignment_options o) {
    if (backend_of(where) == backend::cuda)
        throw unsupported_variant("align: takes no profile on cuda, expected cpu or reference");
    o.matrix = {};
    return o;
}

}  // namespace

std::string alignment_result::cigar() const {
    std::string text;
    for (const alignment_run& r : path) {
        text += std::to_string(r.length);
        text += r.operation;
    }
    return text;
}

double alignment_result::identity() const {
    index_t columns = 0;
    for (const alignment_run& r : path) columns += r.length;
    return columns == 0 ? 1 : 1 - static_cast<double>(edits()) / static_cast<double>(columns);
}

index_t alignment_result::edits() const {
    index_t count = 0;
    for (const alignment_run& r : path) count += r.operation == '=' ? 0 : r.length;
    return count;
}

namespace {

void check_pair(const execution& where, const alignment_options& o) {
    check_costs(o);
    check_heuristics(o, true);
    if (backend_of(where) == backend::cuda && (o.band >= 0 || o.x_drop >= 0))
        throw unsupported_variant("align: has no band and no x_drop on cuda, expected cpu or reference");
}

alignment_result solved(alignment_job job, const alignment_options& o) {
    alignment_result result;
    job.options = &o;
    job.result = &result;
    job.run = &result.run;
    result.run.work = static_cast<double>(job.query.size) * static_cast<double>(job.target.size);
    catalogue::run(align_rows(), o.variant, job, result.run);
    if (o.task == alignment_task::score) {
        result.best_ends.clear();
    } else {
        result.query_end = result.best_ends.front().query;
        result.target_end = result.best_ends.front().target;
    }
    return result;
}

}  // namespace

alignment_result align(const execution& where, sequence_view query, sequence_view target,
                       const alignment_options& o) {
    check_pair(where, o);
    alignment_job job{where, checked(where, "query", query, o.matrix.by_equality()),
                      checked(where, "target", target, o.matrix.by_equality())};
    check_same_width("query, target", job.query.bytes, job.target.bytes);
    return solved(job, o);
}

alignment_result align(const execution& where, const score_profile& query, sequence_view target,
                       const alignment_options& options) {
    const alignment_options o = without_matrix(where, options);
    check_pair(where, o);
    alignment_job job{where, {nullptr, query.size(), 1}, checked(where, "target", target, false)};
    job.profile = &query;
    return solved(job, o);
}

alignment_batch_result align(const execution& where, const sequence_batch& query,
                             const sequence_batch& target, std::span<std::int64_t> scores,
                             const alignment_options& o) {
    check_batch(o);
    if (query.count != target.count || query.count != std::ssize(scores) || query.count < 0)
        base::refuse("query, target, scores",
                     std::to_string(query.count) + ", " + std::to_string(target.count) + " and " +
                         std::to_string(scores.size()) + " entries",
                     "the same");
    check_same_width("query, target", query.symbol_bytes, target.symbol_bytes);
    const wale::on_cuda* const devices = cuda::several(where);  // which take batches from host memory
    const bool on_cuda =
        devices == nullptr && backend_of(where) == backend::cuda;  // its rows check the offsets
    const sequence_batch a = checked_side(where, "query", query, o.matrix.by_equality()),
                         b = checked_side(where, "target", target, o.matrix.by_equality());
    cuda::check_reachable(where, "scores", scores.data(), query.count);
    alignment_batch_result result;
    alignment_batch_job job{where, side_of(a), side_of(b), a.count, &o, scores.data(), &result.run};
    if (!on_cuda) result.run.work = cells(job);
    if (devices != nullptr) {
        const double work = result.run.work;
        result = spread_pairs<alignment_batch_result>(*devices, a, b, scores,
                                                      [&](const auto&... part) { return align(part..., o); });
        result.run.work = work;
        return result;
    }
    catalogue::run(align_batch_rows(), o.variant, job, result.run);
    return result;
}

alignment_batch_result align(const execution& where, const score_profile& query,
                             const sequence_batch& targets, std::span<std::int64_t> scores,
                             const alignment_options& options) {
    const alignment_options o = without_matrix(where, options);
    check_batch(o);
    if (targets.count != std::ssize(scores) || targets.count < 0)
        base::refuse("targets, scores",
                     std::to_string(targets.count) + " and " + std::to_string(scores.size()) + " entries",
                     "the same");
    const sequence_batch side = checked_side(where, "targets", targets, false);
    cuda::check_reachable(where, "scores", scores.data(), targets.count);
    alignment_batch_result result;
    const std::array<index_t, 2> positions{0, query.size()};
    align_cross_job job{where, {nullptr, positions.data(), 1}, side_of(side)};
    job.query_count = 1;
    job.target_count = job.pitch = targets.count;
    job.options = &o;
    job.scores = scores.data();
    job.run = &result.run;
    job.profiles = &query;
    for (index_t k = 0; k < targets.count; ++k)
        result.run.work +=
            static_cast<double>(query.size()) * static_cast<double>(sequence(job.targets, k).size);
    catalogue::run(align_cross_rows(), o.variant, job, result.run);
    return result;
}

namespace {

/// Runs have 28 bits for their length.
void check_runs(const align_pairs_job& job) {
    constexpr index_t most = (index_t{1} << 28) - 1;
    for (const auto& [name, side] : {std::pair{"query", &job.query}, {"target", &job.target}})
        for (index_t k = 0; k < job.count; ++k)
            if (const index_t size = side->offsets[k + 1] - side->offsets[k]; size > most)
                base::refuse(name,
                             "sequence " + std::to_string(k) + " of " + std::to_string(size) + " symbols",
                             "at most " + std::to_string(most) + " of a batch of paths");
}

/// The columns that the task asks for, without values but the first of first_run.
pair_alignments columns_for(index_t count, alignment_task task) {
    pair_alignments out;
    const auto size = static_cast<std::size_t>(count);
    base::resize_in_large_pages(out.score, size);
    if (task >= alignment_task::ends)
        for (auto* column : {&out.query_end, &out.target_end}) base::resize_in_large_pages(*column, size);
    if (task >= alignment_task::starts)
        for (auto* column : {&out.query_begin, &out.target_begin}) base::resize_in_large_pages(*column, size);
    if (task != alignment_task::path) return out;
    base::resize_in_large_pages(out.first_run, size + 1);
    out.first_run[0] = 0;
    return out;
}

}  // namespace

alignment_result pair_alignments::pair(index_t pair) const {
    const auto k = static_cast<std::size_t>(pair);
    alignment_result out;
    out.score = score[k];
    if (!query_end.empty()) {
        out.query_end = query_end[k];
        out.target_end = target_end[k];
        out.best_ends = {{out.query_end, out.target_end}};
    }
    if (!query_begin.empty()) {
        out.query_begin = query_begin[k];
        out.target_begin = target_begin[k];
    }
    if (!first_run.empty())
        for (index_t r = first_run[k]; r < first_run[k + 1]; ++r)
            out.path.push_back(decoded_run(runs[static_cast<std::size_t>(r)]));
    return out;
}

pair_alignments align_pairs(const execution& where, const sequence_batch& query, const sequence_batch& target,
                            const alignment_options& o) {
    check_costs(o);
    check_heuristics(o, false);
    if (query.count != target.count || query.count < 0)
        base::refuse("query, target",
                     std::to_string(query.count) + " and " + std::to_string(target.count) + " sequences",
                     "the same number");
    check_same_width("query, target", query.symbol_bytes, target.symbol_bytes);
    const bool on_cuda = backend_of(where) == backend::cuda;  // its row checks the offsets
    const sequence_batch a = checked_side(where, "query", query, o.matrix.by_equality()),
                         b = checked_side(where, "target", target, o.matrix.by_equality());
    pair_alignments result = columns_for(a.count, o.task);
    align_pairs_job job{where, side_of(a), side_of(b), a.count, &o, &result, &result.run};
    if (!on_cuda) {
        result.run.work = cells(job);
        if (o.task == alignment_task::path) check_runs(job);
    }
    catalogue::run(align_pairs_rows(), o.variant, job, result.run);
    return result;
}

}  // namespace wale
