// one_pass - a stage's fluxes and step in one pass over the cells.
#include "solvers/euler/advance/shared/team_passes.hpp"

namespace wale::euler {
namespace {

std::unique_ptr<flow_session> create(advance_job& job) {
    return create_team_passes(job, 1);
}

}  // namespace

extern const flow_row advance_cpu_one_pass;
constinit const flow_row advance_cpu_one_pass{
    "cpu/one_pass",
    backend::cpu,
    "plain loops over cells, a team for all iterations; a stage's fluxes and step in one pass",
    catalogue::never_refuses,
    nullptr,
    create};

}  // namespace wale::euler
