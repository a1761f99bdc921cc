// five_passes - one_pass with a flux pass for each of the five variables: each computes anew what the fluxes
// share. The slow way that notes on the benchmark's port to SAC describe; here to be measured.
#include <utility>

#include "solvers/euler/advance/shared/device/passes.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace {

template <int Variable, class Real, euler_layout Layout>
__global__ void __launch_bounds__(block_of_passes)
    find_one_flux(const __grid_constant__ pass_task<Real, Layout> t) {
    const index_t cell = cell_of_thread();
    if (cell >= t.grid.cells) return;
    t.flux(cell, Variable) =
        cell_residual<euler_flux::rodinia>(t.grid.of(cell), points_in<Real, Layout>{t.now}, cell, t.k)
            .at[Variable];
}

template <class Real, euler_layout Layout>
class five_passes_session final : public passes_session<Real, Layout, euler_constants::parameters> {
public:
    using passes_session<Real, Layout, euler_constants::parameters>::passes_session;

protected:
    void queue_fluxes(const cuda::context& on, const pass_task<Real, Layout>& t, unsigned blocks) override {
        [&]<int... V>(std::integer_sequence<int, V...>) {
            (find_one_flux<V><<<blocks, block_of_passes, 0, on.stream()>>>(t), ...);
        }
        (std::make_integer_sequence<int, variables>{});
    }
};

std::string refusal(const advance_job& job) {
    const std::string why = why_not_passes(*job.system);
    if (!why.empty()) return why;
    const euler_constants c = job.system->options.constants;
    return c == euler_constants::automatic || c == euler_constants::parameters
               ? ""
               : "takes its constants as parameters only";
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        if (job.system->options.layout == euler_layout::cell_major)
            return std::make_unique<five_passes_session<Real, euler_layout::cell_major>>(job);
        return std::make_unique<five_passes_session<Real, euler_layout::variable_major>>(job);
    });
}

}  // namespace

extern constinit const flow_row advance_cuda_five_passes{
    "cuda/five_passes", "as cuda/one_pass, but a pass for the flux of each of the five variables", create,
    refusal};

}  // namespace wale::euler
