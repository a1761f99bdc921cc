// lanes - cpu/lanes: factors of systems in the lanes of vectors.
#include "solvers/tree/factor/shared/kept_on_host.hpp"

namespace wale::tree {
namespace {

std::string refuses_lane_factors(const chain_factor_job& job) {
    return job.a.shape().ragged() ? "takes systems of one size only" : "";
}
bool suits_lane_factors(const chain_factor_job& job) {
    return job.a.systems() >= vector_lanes(job.a.type());
}
void factor_chains_lanes(chain_factor_job& job) {
    const lanes_policy& policy = chain_lanes;
    const index_t vector = vector_lanes(job.a.type());
    const index_t line = std::max<index_t>(job.a.shape().size, 1) * vector * bytes_of(job.a.type());
    factor_beside(job, vector * std::clamp(policy.scratch_bytes / line, index_t{1}, policy.least));
}

}  // namespace

extern constinit const catalogue::row<chain_factor_job> factor_cpu_lanes{
    "cpu/lanes", "systems kept in the lanes of vectors, a right side of each at once", factor_chains_lanes,
    refuses_lane_factors, suits_lane_factors};

}  // namespace wale::tree
