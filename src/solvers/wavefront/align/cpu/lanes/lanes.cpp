// lanes - scores of many pairs, one a lane: no lane waits for another, and nothing crosses lanes. The longer
// side of the batch is the rows, as memory grows with the columns.
#include <algorithm>
#include <cmath>

#include "solvers/wavefront/align/cpu/lanes/kept_prices.hpp"
#include "solvers/wavefront/align/cpu/tuning.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {
namespace {

index_t symbols_of(const batch_side& side, index_t count) {
    return count == 0 ? 0 : side.offsets[count] - side.offsets[0];
}

lane_pairs pairs_of(const alignment_batch_job& job, bool swapped) {
    lane_pairs pairs{swapped ? job.target : job.query, swapped ? job.query : job.target};
    if (swapped) std::swap(pairs.rows_name, pairs.columns_name);
    pairs.count = job.count;
    pairs.scores = job.scores;
    return pairs;
}

std::string refusal(const alignment_batch_job& job) {
    if (most_lanes() == 0) return "needs vectors";
    if (job.query.bytes != 1) return "needs symbols of one byte";
    if (std::string why = kept_prices::refusal(*job.options); !why.empty()) return why;
    const lane_scoring& scoring = kept_prices::of(*job.options).upright;
    for (index_t k = 0; k < job.count; ++k)
        if (scoring.width(sequence(job.query, k).size, sequence(job.target, k).size) < 0)
            return "needs scores of 32 bits";
    return {};
}

/// Whether a pair a lane takes less time than one pair after the other in cpu/striped: of few pairs most
/// lanes have nothing to do, and of unlike ones they wait for the longest.
bool suits(const alignment_batch_job& job) {
    const batch_policy& policy = chosen_batches;
    const bool local = job.options->mode == alignment_mode::local;
    const double column = local ? policy.local_column : policy.other_column,
                 cell = local ? policy.local_cell : policy.other_cell;
    double cells = 0, most = 0, striped = 0;
    for (index_t k = 0; k < job.count; ++k) {
        const auto rows = static_cast<double>(sequence(job.query, k).size),
                   columns = static_cast<double>(sequence(job.target, k).size);
        cells += rows * columns;
        most = std::max(most, rows * columns);
        striped += policy.pair + column * std::min(rows, columns) + cell * rows * columns;
    }
    // The first group has the largest of all pairs, the others unlike ones.
    const double lanes = static_cast<double>(most_lanes()) * (local ? 1 : 0.5),
                 count = static_cast<double>(job.count);
    const double area = most + (std::ceil(count / lanes) - 1) * policy.filling * cells / std::max(count, 1.0);
    return policy.around_lanes + (local ? policy.local_area : policy.other_area) * area < striped;
}

void run(alignment_batch_job& job) {
    const bool swapped = symbols_of(job.target, job.count) > symbols_of(job.query, job.count);
    const lane_pairs pairs = pairs_of(job, swapped);
    lane_scoring scoring(*job.options, swapped);
    if (scoring.kind == lane_scores::equality) scoring.number_bytes(pairs);
    score_in_lanes(scoring, pairs, threads_asked(job.where), *job.run);
}

}  // namespace

extern constinit const catalogue::row<alignment_batch_job> align_batch_cpu_lanes{
    "cpu/lanes", "a pair a lane, neighbours of like sizes; cells of 8, 16 or 32 bits", run, refusal, suits};

}  // namespace wale::wavefront
