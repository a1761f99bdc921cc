// any_cells - the session that takes every case: any cells, fluxes, orders, steps. States stay [cells][5].
// And the choice between that session and the one for tetrahedra.
#include <array>

#include "solvers/euler/advance/shared/device/published.hpp"
#include "solvers/euler/advance/shared/device/stage.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/fused/fused.hpp"
#include "solvers/euler/advance/shared/fused/launched.cuh"

namespace wale::euler {
namespace {

template <class Real>
class any_cells_session final : public launched_session<Real> {
public:
    any_cells_session(const advance_job& job, bool recorded)
        : any_cells_session(job, recorded, cuda::context(job.where)) {}

protected:
    void queue_iteration(const cuda::context& on, index_t) override {
        this->time().queue_step(on, this->mesh().grid(), this->numbers(), buffers_[0].data());
        for (int stage = 0; stage < stages; ++stage) queue(on, task_of(stage));
    }
    void store(const cuda::context& on, Real* to) override { this->copy_states(on, to, buffers_[0].data()); }
    void load(const cuda::context& on, const Real* from) override {
        this->copy_states(on, buffers_[0].data(), from);
    }
    [[nodiscard]] std::string policy() const override {
        return std::string("layout=cell_major block=") + std::to_string(cell_kernels[0].policy.block) +
               this->how();
    }

private:
    any_cells_session(const advance_job& job, bool recorded, const cuda::context& on)
        : launched_session<Real>(job, recorded) {
        const index_t cells = this->system().cells();
        for (auto& b : buffers_) b = cuda::device_array<Real>(variables * cells, on.device());
        step_ = cuda::device_array<Real>(cells, on.device());
        if (scheme().order == 2) gradients_ = cuda::device_array<gradient_of<Real>>(cells, on.device());
        if (scheme().smoothing > 0)
            for (auto& r : residuals_) r = cuda::device_array<flux_of<Real>>(cells, on.device());
    }
    [[nodiscard]] const euler_scheme& scheme() const { return this->system().options.scheme; }

    [[nodiscard]] stage_task<Real> task_of(int stage) const {
        const auto from = static_cast<std::size_t>(stage);
        return {this->mesh().grid(),
                this->numbers(),
                buffers_[from].data(),
                gradients_.data(),
                buffers_[0].data(),
                buffers_[(from + 1) % buffers_.size()].data(),
                step_.data(),
                this->time().time(),
                this->time().volumes(),
                scheme().step,
                stage};
    }

    void queue(const cuda::context& on, const stage_task<Real>& task) const {
        if (scheme().order == 2) queue_gradients(on, task, gradients_.data());
        if (scheme().smoothing == 0) return queue_stage(on, scheme(), task);
        const flux_of<Real>* const rough = residuals_[0].data();
        queue_residuals(on, scheme(), task, residuals_[0].data());
        const flux_of<Real>* smooth = rough;
        for (int sweep = 0; sweep < scheme().smoothing; ++sweep) {
            flux_of<Real>* const to = residuals_[sweep % 2 == 0 ? 1 : 2].data();
            queue_smoothing(on, task, rough, smooth, to);
            smooth = to;
        }
        queue_update(on, task, smooth);
    }

    std::array<cuda::device_array<Real>, stages> buffers_;
    cuda::device_array<Real> step_;
    cuda::device_array<gradient_of<Real>> gradients_;
    std::array<cuda::device_array<flux_of<Real>>, 3> residuals_;  // rough; two that sweeps go between
};

/// Whether the kernel for tetrahedra can do it.
bool is_published_on_tetrahedra(const flow_system& system) {
    const euler_scheme& s = system.options.scheme;
    if (!system.published || s.fixed_step > 0 || s.smoothing > 0 || !system.all_have_four_faces())
        return false;
    using enum euler_boundary;
    return !system.has({inflow, outflow, pressure_inlet, pressure_outlet, mass_inlet});
}

}  // namespace

std::string why_not_fused(const advance_job& job) {
    using layout = euler_layout;
    using place = euler_constants;
    const euler_options& o = job.system->options;
    if (const std::string why = why_not_shared(o.scheme); !why.empty()) return why;
    if (o.scheme.levels > 1) return "has no multigrid";
    if (blends_shocks(o)) return "does not blend strong shocks (scheme.shocks = plain leaves them)";
    const bool plain = o.constants == place::automatic || o.constants == place::parameters;
    if (plain && (o.layout == layout::automatic || o.layout == layout::cell_major)) return "";
    if (!is_published_on_tetrahedra(*job.system))
        return "takes only the published flux on tetrahedra with other layouts than cell_major and other "
               "constants than parameters";
    if (!plain && o.layout != layout::automatic && o.layout != layout::packed)
        return "takes other constants than parameters only with packed states";
    return why_not_compiled(*job.system);
}

std::unique_ptr<flow_session> create_fused(const advance_job& job, bool recorded) {
    const bool tetrahedra = is_published_on_tetrahedra(*job.system);
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        if (tetrahedra) return create_on_tetrahedra<Real>(job, recorded);
        return std::make_unique<any_cells_session<Real>>(job, recorded);
    });
}

}  // namespace wale::euler
