// five_passes - all fluxes are computed anew for each of the five variables.
#include "solvers/euler/advance/shared/team_passes.hpp"

namespace wale::euler {
namespace {

std::string refusal(const advance_job& job) {
    if (job.system->options.layout == euler_layout::packed)
        return "keeps states cell-major or variable-major";
    return why_not_stages(job.system->options.scheme);
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return create_team_passes(job, variables);
}

}  // namespace

extern constinit const flow_row advance_cpu_five_passes{
    "cpu/five_passes", "as cpu/one_pass, but all fluxes are computed anew for each of the five variables",
    create, refusal};

}  // namespace wale::euler
