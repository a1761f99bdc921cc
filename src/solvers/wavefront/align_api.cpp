// align_api - checks the arguments of an alignment, selects a variant, runs it, reports.
#include "base/argument.hpp"
#include "cuda/reachable.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/spread_pairs.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using namespace wavefront;

constexpr index_t most_cost = 1'000'000;

void check_costs(const alignment_options& o) {
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

symbols checked(const execution& where, const char* name, sequence_view s,
                const substitution_matrix& matrix) {
    cuda::check_reachable(where, name, s.data(), s.size());
    const int bytes = s.symbol_bytes();
    const bool fits = bytes == 1 || (matrix.by_equality() && (bytes == 2 || bytes == 4));
    if (!fits)
        base::refuse(name, "symbols of " + std::to_string(bytes) + " bytes",
                     matrix.by_equality() ? "1, 2 or 4" : "1, letters of the matrix");
    return {s.data(), s.size(), bytes};
}

void check_same_width(int query, int target) {
    if (query != target)
        base::refuse("query, target",
                     "symbols of " + std::to_string(query) + " and " + std::to_string(target) + " bytes",
                     "the same");
}

/// The cells of a batch; refuses offsets that do not ascend.
double checked_cells(const alignment_batch_job& job) {
    double cells = 0;
    for (index_t k = 0; k < job.count; ++k) {
        double product = 1;
        for (const batch_side* side : {&job.query, &job.target}) {
            const index_t first = side->offsets[k], last = side->offsets[k + 1];
            if (first < 0 || last < first)
                base::refuse(side == &job.query ? "query" : "target",
                             "sequence " + std::to_string(k) + " [" + std::to_string(first) + ", " +
                                 std::to_string(last) + ")",
                             "ascending offsets");
            product *= static_cast<double>(last - first);
        }
        cells += product;
    }
    return cells;
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

alignment_result align(const execution& where, sequence_view query, sequence_view target,
                       const alignment_options& o) {
    check_costs(o);
    check_heuristics(o, true);
    if (backend_of(where) == backend::cuda && (o.band >= 0 || o.x_drop >= 0))
        throw unsupported_variant("align: has no band and no x_drop on cuda, expected cpu or reference");
    alignment_result result;
    alignment_job job{where,
                      checked(where, "query", query, o.matrix),
                      checked(where, "target", target, o.matrix),
                      &o,
                      &result,
                      &result.run};
    check_same_width(job.query.bytes, job.target.bytes);
    result.run.work = static_cast<double>(query.size()) * static_cast<double>(target.size());
    catalogue::run(align_rows(), o.variant, job, result.run);
    if (o.task == alignment_task::score) {
        result.best_ends.clear();
    } else {
        result.query_end = result.best_ends.front().query;
        result.target_end = result.best_ends.front().target;
    }
    return result;
}

alignment_batch_result align(const execution& where, const sequence_batch& query,
                             const sequence_batch& target, std::span<std::int64_t> scores,
                             const alignment_options& o) {
    check_costs(o);
    check_heuristics(o, false);
    if (o.task != alignment_task::score)
        base::refuse("options.task", "more than the score", "score, of a batch");
    if (query.count != target.count || query.count != std::ssize(scores) || query.count < 0)
        base::refuse("query, target, scores",
                     std::to_string(query.count) + ", " + std::to_string(target.count) + " and " +
                         std::to_string(scores.size()) + " entries",
                     "the same");
    check_same_width(query.symbol_bytes, target.symbol_bytes);
    const wale::on_cuda* const devices = cuda::several(where);  // which take batches from host memory
    const bool on_cuda =
        devices == nullptr && backend_of(where) == backend::cuda;  // its rows check the offsets
    for (const auto& [name, side] : {std::pair{"query", &query}, {"target", &target}}) {
        (void)checked(where, name, {side->offsets, side->count + 1, side->symbol_bytes}, o.matrix);
        if (on_cuda ? side->data != nullptr
                    : side->count > 0 && side->offsets[side->count] > side->offsets[0])
            (void)checked(where, name, {side->data, 1, side->symbol_bytes}, o.matrix);
    }
    cuda::check_reachable(where, "scores", scores.data(), query.count);
    alignment_batch_result result;
    alignment_batch_job job{where,
                            {query.data, query.offsets, query.symbol_bytes},
                            {target.data, target.offsets, target.symbol_bytes},
                            query.count,
                            &o,
                            scores.data(),
                            &result.run};
    if (!on_cuda) result.run.work = checked_cells(job);
    if (devices != nullptr) {
        const double work = result.run.work;
        result = spread_pairs<alignment_batch_result>(*devices, query, target, scores,
                                                      [&](const auto&... part) { return align(part..., o); });
        result.run.work = work;
        return result;
    }
    catalogue::run(align_batch_rows(), o.variant, job, result.run);
    return result;
}

}  // namespace wale
