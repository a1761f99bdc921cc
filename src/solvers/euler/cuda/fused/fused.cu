// fused - chooses between the kernel for tetrahedra by the published flux and those that take every case.
#include "solvers/euler/cuda/four_faces.cuh"
#include "solvers/euler/cuda/fused/engines.hpp"
#include "solvers/euler/cuda/published.hpp"
#include "solvers/euler/cuda/rows.hpp"

namespace wale::euler {
namespace {

/// Whether the kernel for tetrahedra can do it.
bool is_published_on_tetrahedra(const flow_system& system) {
    const euler_scheme& s = system.options.scheme;
    if (!system.published || s.fixed_step > 0 || s.smoothing > 0 || !all_have_four_faces(system))
        return false;
    using enum euler_boundary;
    return !system.has({inflow, outflow, pressure_inlet, pressure_outlet});
}

void advance(advance_job& job, bool recorded) {
    if (!job.engine) {
        if (!is_published_on_tetrahedra(*job.system))
            job.engine = make_any_cells(job, recorded);
        else if (job.system->options.precision == scalar::f32)
            job.engine = make_tetrahedra_f32(job, recorded);
        else
            job.engine = make_tetrahedra_f64(job, recorded);
    }
    job.engine->advance(job);
}

}  // namespace

std::string why_not_fused(const advance_job& job) {
    using layout = euler_layout;
    using place = euler_constants;
    const euler_options& o = job.system->options;
    if (o.scheme.levels > 1) return "has no multigrid";
    const bool plain = o.constants == place::automatic || o.constants == place::parameters;
    if (plain && (o.layout == layout::automatic || o.layout == layout::cell_major)) return "";
    if (!is_published_on_tetrahedra(*job.system))
        return "takes only the published flux on tetrahedra with other layouts than cell_major and other "
               "constants than parameters";
    if (!plain && o.layout != layout::automatic && o.layout != layout::packed)
        return "takes other constants than parameters only with packed states";
    return why_not_compiled(*job.system);
}

void advance_fused(advance_job& job) {
    advance(job, false);
}
void advance_graph(advance_job& job) {
    advance(job, true);
}

}  // namespace wale::euler
