// levels - Newton's method for steady flows (shared/newton/team_newton.cpp); the sweeps of the preconditioner
// go by levels of the mesh's own order. Bits are those of the reference.
#include "solvers/euler/advance/shared/newton/team_newton.hpp"

namespace wale::euler {
namespace {

std::string refusal(const advance_job& job) {
    if (!job.system->options.group.empty()) return "computes in one process";
    return why_not_newton_by_team(job);
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return create_newton_by_team(job, {sweep_levels_of(*job.system)});
}

}  // namespace

extern constinit const flow_row advance_cpu_levels{
    "cpu/levels",
    "Newton's method for steady flows, by GMRES; the preconditioner's sweeps go by levels of cells", create,
    refusal};

}  // namespace wale::euler
