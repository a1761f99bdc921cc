// pairs - each pair by the row of align that suits it: similar pairs take time in proportion to their cost,
// whatever the others are.
#include <string_view>

#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/align/shared/pairwise.hpp"
#include "variants/run.hpp"

namespace wale::wavefront {
namespace {

const catalogue::row<alignment_job>& row_of(const alignment_job& job) {
    return catalogue::select(align_rows(), backend::cpu, "automatic", job);
}

void solve(alignment_job& job) {
    row_of(job).run(job);
}

void run(align_pairs_job& job) {
    align_each_pair(job, solve);
}

alignment_job pair_of(const alignment_batch_job& job, index_t k, alignment_result& result) {
    return {on_cpu{}, sequence(job.query, k), sequence(job.target, k), job.options, &result, &result.run};
}

void run_scores(alignment_batch_job& job) {
    run_slices(job.count, threads_asked(job.where), *job.run, [&](index_t first, index_t last) {
        for (index_t k = first; k < last; ++k) {
            alignment_result result;
            alignment_job pair = pair_of(job, k, result);
            solve(pair);
            job.scores[k] = result.score;
        }
    });
}

std::string refusal(const alignment_batch_job& job) {
    return asks_heuristics(*job.options);
}

/// Whether most of some pairs, far from each other, are so similar that their costs take less than a table;
/// of short ones tables side by side take less.
bool suits(const alignment_batch_job& job) {
    constexpr index_t most = 8, least_cells = 50'000;
    if (job.options->mode != alignment_mode::global || job.query.bytes != 1) return false;
    const index_t looked_at = std::min(most, job.count);
    index_t similar = 0;
    for (index_t t = 0; t < looked_at; ++t) {
        alignment_result result;
        const alignment_job pair = pair_of(job, t * job.count / looked_at, result);
        if (pair.target.size < 1 || pair.query.size < least_cells / pair.target.size) return false;
        similar += std::string_view(row_of(pair).name) == "cpu/wavefronts";
    }
    return looked_at > 0 && 4 * similar >= 3 * looked_at;
}

}  // namespace

extern constinit const catalogue::row<alignment_batch_job> align_batch_cpu_pairs{
    "cpu/pairs", "each pair by the row of align that suits it; a slice of the pairs a thread", run_scores,
    refusal, suits};

extern constinit const catalogue::row<align_pairs_job> align_pairs_cpu_pairs{
    "cpu/pairs", "each pair by the row of align that suits it; a slice of the pairs a thread", run};

}  // namespace wale::wavefront
