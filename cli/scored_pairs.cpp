// scored_pairs - alignments of many pairs: small ones as a batch, large ones, profiles and heuristics pair by
// pair.
#include <algorithm>
#include <wale/buffer.hpp>
#include <wale/pair_alignments.hpp>

#include "align.hpp"
#include "backend.hpp"
#include "placement.hpp"
#include "text_batch.hpp"

namespace wale::cli {
namespace {

constexpr double large_pair = 1e8;  // cells from which one pair keeps a device busy

void append_once(std::string& list, const std::string& name) {
    if (name.empty() || ("+" + list + "+").find("+" + name + "+") != std::string::npos) return;
    list += (list.empty() ? "" : "+") + name;
}

}  // namespace

pair_aligner::pair_aligner(const execution& where, const alignment_options& scoring,
                           const score_profile* profile)
    : where_(where),
      scoring_(scoring),
      profile_(profile),
      alone_(has_variant("wavefront", "align", scoring.variant)),
      together_(profile == nullptr && scoring.band < 0 && scoring.x_drop < 0 &&
                has_variant("wavefront", "align_pairs", scoring.variant)) {}

void pair_aligner::account(const report& run, double transfer_seconds) {
    totals_.work += run.work;
    totals_.compute_seconds += run.compute_seconds;
    totals_.transfer_seconds += run.transfer_seconds + transfer_seconds;
    totals_.threads = std::max(totals_.threads, run.threads);
    append_once(totals_.variant, run.variant);
    append_once(totals_.device, run.device);
    totals_.policy = run.policy;
}

/// In the memory of the backend.
alignment_result pair_aligner::align_alone(const text_pair& pair) {
    const auto solved = [&] {
        if (profile_ != nullptr) return align(where_, *profile_, pair.target, scoring_);
        if (backend_of(where_) != backend::cuda) return align(where_, pair.query, pair.target, scoring_);
        const buffer<char> a = to_device(where_, std::span<const char>(pair.query)),
                           b = to_device(where_, std::span<const char>(pair.target));
        return align(where_, sequence_view(a.data(), a.size(), 1), sequence_view(b.data(), b.size(), 1),
                     scoring_);
    };
    alignment_result result = solved();
    account(result.run, 0);
    return result;
}

std::vector<alignment_result> pair_aligner::align_all(const std::vector<text_pair>& pairs) {
    const bool on_device = backend_of(where_) == backend::cuda;
    std::vector<alignment_result> results(pairs.size());
    std::vector<std::size_t> small;
    std::vector<std::string_view> queries, targets;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const double cells =
            static_cast<double>(pairs[k].query.size()) * static_cast<double>(pairs[k].target.size());
        const bool alone = pairs.size() == 1 || (on_device && cells >= large_pair);
        if (!together_ || (alone && alone_)) {
            results[k] = align_alone(pairs[k]);
            continue;
        }
        small.push_back(k);
        queries.push_back(pairs[k].query);
        targets.push_back(pairs[k].target);
    }
    if (small.empty()) return results;
    const stopwatch watch;
    const text_batch a(where_, queries), b(where_, targets);
    const double transfer = on_device ? watch.seconds() : 0;
    const pair_alignments found = align_pairs(where_, a.view(), b.view(), scoring_);
    account(found.run, transfer);
    for (std::size_t s = 0; s < small.size(); ++s) results[small[s]] = found.pair(static_cast<index_t>(s));
    return results;
}

}  // namespace wale::cli
