// lanes - scores of many pairs, one a lane: no lane waits for another, and nothing crosses lanes. The longer
// side of the batch is the rows, as memory grows with the columns.
#include "solvers/wavefront/align/cpu/lanes/groups.hpp"
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
    if (job.query.bytes != 1) return "needs symbols of one byte";
    if (std::string why = lane_scoring::refusal(*job.options); !why.empty()) return why;
    const lane_scoring scoring(*job.options, false);
    for (index_t k = 0; k < job.count; ++k)
        if (scoring.width(sequence(job.query, k).size, sequence(job.target, k).size) < 0)
            return "needs scores of 32 bits";
    return {};
}

/// Enough pairs, and none so long that the lanes beside it would wait; or so small ones that a call for each
/// would cost more.
bool suits(const alignment_batch_job& job) {
    double cells = 0, most = 0;
    for (index_t k = 0; k < job.count; ++k) {
        const double product = static_cast<double>(sequence(job.query, k).size) *
                               static_cast<double>(sequence(job.target, k).size);
        cells += product;
        most = std::max(most, product);
    }
    constexpr double small = 512;  // cells. "untuned"
    if (job.count > 1 && most <= small) return true;
    return job.count >= most_lanes() / 2 && 8 * cells >= most * static_cast<double>(most_lanes());
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
