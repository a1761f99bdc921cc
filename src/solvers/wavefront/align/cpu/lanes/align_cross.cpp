// align_cross - scores of each query with each target, a target a lane: all lanes have the rows of one query,
// so a column looks each letter of the query up once, for all rows that have the letter.
#include "solvers/wavefront/align/cpu/lanes/kept_prices.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t most_columns = index_t{1} << 22;  // the memory of a thread is 128 bytes a column

index_t longest(const batch_side& side, index_t count) {
    index_t most = 0;
    for (index_t k = 0; k < count; ++k) most = std::max(most, side.offsets[k + 1] - side.offsets[k]);
    return most;
}

std::string refusal(const align_cross_job& job, const score_profile* profile, index_t rows, index_t columns) {
    constexpr const char* wide = "needs scores of 32 bits";
    if (profile == nullptr) {
        if (std::string why = kept_prices::refusal(*job.options); !why.empty()) return why;
        return kept_prices::of(*job.options).upright.width(rows, columns) < 0 ? wide : "";
    }
    if (std::string why = lane_scoring::refusal(*job.options, profile); !why.empty()) return why;
    return lane_scoring(*job.options, profile).width(rows, columns) < 0 ? wide : "";
}

std::string refusal(const align_cross_job& job) {
    if (most_lanes() == 0) return "needs vectors";
    if (job.queries.bytes != 1) return "needs symbols of one byte";
    const index_t columns = longest(job.targets, job.target_count);
    if (columns > most_columns)
        return "needs targets of at most " + std::to_string(most_columns) + " letters";
    if (job.profiles == nullptr) return refusal(job, nullptr, longest(job.queries, job.query_count), columns);
    for (index_t q = 0; q < job.query_count; ++q)
        if (std::string why = refusal(job, job.profile(q), job.profile(q)->size(), columns); !why.empty())
            return why;
    return {};
}

bool suits(const align_cross_job& job) {
    return job.target_count >= most_lanes() / 2;
}

/// All targets, the short ones first; those of one length in the order of their numbers.
std::vector<index_t> by_length(const batch_side& side, index_t count) {
    const auto size = [&](index_t k) {
        return static_cast<std::size_t>(side.offsets[k + 1] - side.offsets[k]);
    };
    std::vector<index_t> place(static_cast<std::size_t>(longest(side, count)) + 2, 0);
    for (index_t k = 0; k < count; ++k) ++place[size(k) + 1];
    for (std::size_t n = 1; n < place.size(); ++n) place[n] += place[n - 1];
    std::vector<index_t> order(static_cast<std::size_t>(count));
    for (index_t k = 0; k < count; ++k) order[static_cast<std::size_t>(place[size(k)]++)] = k;
    return order;
}

void run(align_cross_job& job) {
    const std::vector<index_t> order = by_length(job.targets, job.target_count);
    for (index_t q = 0; q < job.query_count; ++q) {
        lane_scoring scoring(*job.options, job.profile(q));
        lane_pairs pairs{job.queries, job.targets};
        pairs.count = job.target_count;
        pairs.shared = q;
        pairs.order = order;
        pairs.scores = job.scores + q * job.pitch;
        if (scoring.kind == lane_scores::equality) scoring.number_bytes(pairs);
        score_in_lanes(scoring, pairs, threads_asked(job.where), *job.run);
    }
}

}  // namespace

extern constinit const catalogue::row<align_cross_job> align_cross_cpu_lanes{
    "cpu/lanes", "a target a lane, neighbours of like lengths; cells of 8, 16 or 32 bits", run, refusal,
    suits};

}  // namespace wale::wavefront
