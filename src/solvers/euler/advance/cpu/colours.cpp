// colours - as cpu/levels (shared/newton/team_newton.cpp), but the preconditioner is some sweeps of block
// Gauss and Seidel's, colour after colour: few steps of many cells each. cuda/colours takes the same sweeps.
#include "solvers/euler/advance/shared/newton/team_newton.hpp"

namespace wale::euler {
namespace {

std::string refusal(const advance_job& job) {
    if (!job.system->options.group.empty() && !job.system->number.empty())
        return "has ranks in the mesh's own numbering only: scheme.order is another, or the mesh is "
               "scattered";
    return why_not_newton_by_team(job);
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return create_newton_by_team(job, {sweep_colours_of(*job.system), coloured_sweeps, coloured_bounds});
}

}  // namespace

extern constinit const flow_row advance_cpu_colours{
    "cpu/colours",
    "Newton's method for steady flows, by GMRES; the preconditioner "
    "is Gauss and Seidel's sweeps by colours of cells",
    create, refusal};

}  // namespace wale::euler
