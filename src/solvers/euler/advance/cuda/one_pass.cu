// one_pass - the published benchmark's own schedule (Rodinia's euler3d; Corrigan et al. 2011): one pass finds
// the fluxes of all five variables. Variable-major by default, in blocks of 192, as published.
#include "solvers/euler/advance/shared/device/passes.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace {

template <euler_constants Where, class Real, euler_layout Layout>
__global__ void __launch_bounds__(block_of_passes)
    find_fluxes(const __grid_constant__ pass_task<Real, Layout> t) {
    const index_t cell = cell_of_thread();
    if (cell >= t.grid.cells) return;
    const constants<Real> k = held<Where>(t.k);
    const flux_of<Real> r =
        cell_residual<euler_flux::rodinia>(t.grid.of(cell), points_in<Real, Layout>{t.now}, cell, k);
    for (int v = 0; v < variables; ++v) t.flux(cell, v) = r.at[v];
}

template <class Real, euler_layout Layout, euler_constants Where>
class one_pass_session final : public passes_session<Real, Layout, Where> {
public:
    using passes_session<Real, Layout, Where>::passes_session;

protected:
    void queue_fluxes(const cuda::context& on, const pass_task<Real, Layout>& t, unsigned blocks) override {
        find_fluxes<Where><<<blocks, block_of_passes, 0, on.stream()>>>(t);
    }
};

template <class Real, euler_layout Layout>
std::unique_ptr<flow_session> make(const advance_job& job) {
    using place = euler_constants;
    switch (job.system->options.constants) {
        case place::parameters:
            return std::make_unique<one_pass_session<Real, Layout, place::parameters>>(job);
        case place::compiled:
            return std::make_unique<one_pass_session<Real, Layout, place::compiled>>(job);
        default:
            return std::make_unique<one_pass_session<Real, Layout, place::constant_memory>>(job);
    }
}

std::string refusal(const advance_job& job) {
    const std::string why = why_not_passes(*job.system);
    return why.empty() ? why_not_compiled(*job.system) : why;
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() {
        return job.system->options.layout == euler_layout::cell_major
                   ? make<Real, euler_layout::cell_major>(job)
                   : make<Real, euler_layout::variable_major>(job);
    });
}

}  // namespace

extern constinit const flow_row advance_cuda_one_pass{
    "cuda/one_pass",
    "the published schedule: copy, steps, and three times fluxes of all variables, then a stage", create,
    refusal};

}  // namespace wale::euler
