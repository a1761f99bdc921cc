// euler_fuzz - a few steps of a disturbed flow on a small mesh, with any numerics: the rows of the host
// beside the reference, to the roundings of some steps.
#include <algorithm>

#include "fuzz/solver_fuzz.hpp"
#include "solvers/euler/advance/session.hpp"

namespace wale::euler {

extern const flow_row advance_cpu_one_pass, advance_cpu_five_passes, advance_reference_plain;

}  // namespace wale::euler

namespace {

using namespace wale;

mesh grid_of(int number) {
    mesh_recipe recipe;
    recipe.kind = number == 0 ? mesh_kind::shell : number == 1 ? mesh_kind::bump : mesh_kind::wedge;
    recipe.shape = number == 1 ? cell_shape::quadrilateral : cell_shape::tetrahedron;
    recipe.size = 60;
    return generate_mesh(recipe);
}

/// The state after some steps, or nothing where the row refuses or the flow is nonphysical.
std::vector<euler_state> stepped(const euler::flow_row& row, const euler::flow_system& system,
                                 const std::vector<euler_state>& start, int steps, int threads) {
    euler::advance_job job{.where = on_cpu{.threads = threads}, .system = &system, .state = &start};
    if (!catalogue::refusal_of(row, job).empty()) return {};
    report run;
    const auto session = row.run(job);
    euler::flow_steps some{.where = job.where, .iterations = steps, .time = {}, .run = &run};
    session->step(some);
    if (session->measure().bad_cell >= 0) return {};
    std::vector<euler_state> out(start.size());
    session->fetch(out);
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const mesh grids[] = {grid_of(0), grid_of(1), grid_of(2)};
    fuzz::numbers_of from(data, size);
    euler_options options;
    const auto& grid = grids[from.below(3)];
    options.scheme.flux = static_cast<euler_flux>(1 + from.below(4));
    options.scheme.order = 1 + from.below(2);
    options.scheme.limiter = static_cast<euler_limiter>(from.below(3));
    options.scheme.time = from.byte() % 2 == 0 ? euler_time::jameson : euler_time::ssp_rk3;
    options.scheme.step = from.byte() % 2 == 0 ? euler_step::local : euler_step::global;
    options.scheme.cfl = 0.4;
    options.stream.mach = 0.2 + from.below(20) / 10.0;
    options.precision = from.byte() % 2 == 0 ? scalar::f64 : scalar::f32;
    const euler::flow_system system(mesh(grid), options);
    std::vector<euler_state> start = system.free_stream();
    for (int k = from.below(40); k > 0; --k) {  // disturbed cells, still physical
        euler_state& cell = start[static_cast<std::size_t>(from.below(static_cast<int>(start.size())))];
        const double part = 0.8 + from.byte() / 640.0;
        for (double& v : cell) v *= part;
    }
    const int steps = 1 + from.below(3), threads = 1 + from.below(3);
    const auto truth = stepped(euler::advance_reference_plain, system, start, steps, 1);
    if (truth.empty()) return 0;
    // Three stages of two or three sums of fluxes a step, and limiters that amplify a rounding some times.
    const double unit = options.precision == scalar::f64 ? std::numeric_limits<double>::epsilon()
                                                         : std::numeric_limits<float>::epsilon();
    double largest = 0;
    for (const euler_state& s : truth)
        for (const double v : s) largest = std::max(largest, std::fabs(v));
    for (const auto* row : {&euler::advance_cpu_one_pass, &euler::advance_cpu_five_passes}) {
        const auto found = stepped(*row, system, start, steps, threads);
        for (std::size_t i = 0; i < found.size(); ++i)
            for (std::size_t v = 0; v < 5; ++v)
                fuzz::demand(std::fabs(found[i][v] - truth[i][v]) <= 1e4 * unit * largest, row->name);
    }
    return 0;
}
