// second_order - a stage in one launch: gradients, limiter and fluxes of a tile in shared memory (stage.hpp).
#include "solvers/euler/advance/cuda/second_order/second_order.cuh"

#include "base/threads.hpp"
#include "solvers/euler/advance/cuda/second_order/plan.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {

std::string second_order::why_not(const advance_job& job) {
    const flow_system& s = *job.system;
    const euler_scheme& scheme = s.options.scheme;
    if (const std::string why = why_not_shared(s.options); !why.empty()) return why;
    if (scheme.order != 2) return "computes second order only";
    if (scheme.smoothing > 0 || scheme.levels > 1) return "has no residual smoothing and no multigrid";
    if (s.grid.dimensions != 3 || !s.all_have_four_faces()) return "needs tetrahedra";
    if (s.options.layout != euler_layout::automatic) return "has a layout of its own";
    if (s.options.constants != euler_constants::automatic &&
        s.options.constants != euler_constants::parameters)
        return "takes constants as parameters";
    if (s.cells() == 0) return "needs cells";
    return why_no_plan(s);
}

namespace {

/// The plan of the tiles takes 5.5 us of processor time a cell, shared by the host's threads, and an
/// iteration 0.2 ns (float32) or 0.6 ns (float64) a cell less than cuda/graph's: with 8 threads the plan pays
/// from 3000 or 1000 iterations on, which steady flows take.
bool suits(const advance_job&) {
    return available_threads() >= 8;
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision,
                          [&]<class Real>() { return second_order::create_session<Real>(job); });
}

}  // namespace

extern constinit const flow_row advance_cuda_second_order{
    "cuda/second_order",
    "second order on tetrahedra, one or two launches a stage: gradients, limiter and fluxes of a tile in "
    "shared memory",
    create, second_order::why_not, suits};

}  // namespace wale::euler
