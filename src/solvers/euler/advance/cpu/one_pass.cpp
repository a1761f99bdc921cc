// one_pass - a stage's fluxes and step in one pass over the cells.
#include "solvers/euler/advance/shared/team_passes.hpp"

namespace wale::euler {
namespace {

std::string refusal(const advance_job& job) {
    return why_not_stages(job.system->options.scheme);
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return create_team_passes(job, 1);
}

}  // namespace

extern constinit const flow_row advance_cpu_one_pass{
    "cpu/one_pass",
    "plain loops over cells, a team for all iterations; a stage's fluxes and step in one pass", create,
    refusal};

}  // namespace wale::euler
