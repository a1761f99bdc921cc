// reference - defines the result: one thread, plain loops, a state of five numbers a cell. Read this first.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "cpu/poll.hpp"
#include "solvers/euler/advance/plain_newton.hpp"
#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/measure.hpp"
#include "solvers/euler/advance/shared/multigrid/coarse_levels.hpp"

namespace wale::euler {
namespace {

template <class Real>
class reference_session final : public flow_session {
public:
    explicit reference_session(const advance_job& job)
        : system_(*job.system), mesh_(system_), k_(constants_of<Real>(system_)) {
        for (const euler_state& s : *job.state)
            for (const double v : s) now_.push_back(static_cast<Real>(v));
        kept_ = now_;
        residual_.resize(static_cast<std::size_t>(system_.cells()));
        if (scheme().order == 2) gradient_.resize(residual_.size());
        if (blends_shocks(system_.options)) shocks_.resize(residual_.size());
        step_.resize(residual_.size());
    }

    void step(flow_steps& steps) override {
        if constexpr (std::is_same_v<Real, double>)
            if (scheme().time == euler_time::newton) return step_by_newton(steps);
        for (steps.done = 0; steps.done < steps.iterations && !steps.time.at_end(); ++steps.done) {
            correct();
            find_steps(steps.time);
            const std::vector<Real> old = now_;
            for (int stage = 0; stage < stages; ++stage) {
                find_residuals();
                smooth_residuals();
                take_stage(old, stage);
            }
        }
    }

    measured measure() override {
        find_residuals();
        measured m;
        m.sample = measure_cells(system_, [&](index_t i) {
            const auto own = states().point(i, k_);
            cell_measure c = measure_cell(mesh_.grid, own, residual_[static_cast<std::size_t>(i)], i);
            std::array<double, 3> arm;
            measure_walls(mesh_.grid, own, i, k_.far.p, arm_of(system_, i, arm), c, slope_of(i));
            return c;
        });
        for (index_t i = 0; i < system_.cells(); ++i)
            if (is_bad(states().point(i, k_))) m.bad_cell = lesser(m.bad_cell, system_.number_of(i));
        return m;
    }

    void follow_lift() override { mesh_.bend_far_field(system_, system_.lift); }
    void keep() override { kept_ = now_; }
    void go_back() override { now_ = kept_; }
    void fetch(std::vector<euler_state>& state) override {
        for (std::size_t i = 0; i < now_.size(); ++i)
            state[i / variables][i % variables] = static_cast<double>(now_[i]);
    }
    [[nodiscard]] const std::vector<flux_of<Real>>& residuals() {
        find_residuals();
        return residual_;
    }

private:
    [[nodiscard]] cell_major_states<Real> states() const { return {now_.data()}; }

    void step_by_newton(flow_steps& steps) {
        using all = plain_newton::all;
        const auto set = [this](const all& u) {
            for (std::size_t i = 0; i < now_.size(); ++i)
                now_[i] = static_cast<Real>(u[i / variables][i % variables]);
        };
        all state(residual_.size());
        for (std::size_t i = 0; i < now_.size(); ++i) state[i / variables][i % variables] = now_[i];
        mesh_.bend_far_field(system_, 0);  // as the free stream's residual is measured
        plain_newton newton(system_, mesh_.grid, k_, [&](const all& u) {
            set(u);
            find_residuals();
            all r(u.size());
            for (std::size_t i = 0; i < r.size(); ++i) std::copy_n(residual_[i].at, variables, r[i].begin());
            return r;
        });
        follow_lift();
        for (steps.done = 0; steps.done < steps.iterations; ++steps.done) newton.cycle(state);
        set(state);
    }

    /// By coarser grids, where the scheme has some.
    void correct() {
        if (scheme().levels == 1) return;
        if (!coarse_) coarse_ = std::make_unique<coarse_levels<Real>>(system_, k_, mesh_.said);
        if (coarse_->empty()) return;
        find_residuals();
        cpu::barrier alone(1);
        const auto at = [&](index_t i, int v) -> Real& {
            return now_[static_cast<std::size_t>(variables * i + v)];
        };
        with_flux(scheme().flux, [&]<euler_flux Flux>() {
            coarse_->template correct<Flux>({0, 1, alone}, at, residual_.data());
        });
    }

    /// Each cell's step over its volume; the same step of time for all where the scheme is global.
    void find_steps(flow_time& time) {
        const euler_step rule = scheme().step;
        for (index_t i = 0; i < system_.cells(); ++i)
            step_[static_cast<std::size_t>(i)] =
                step_over_volume(rule, mesh_.grid, states().point(i, k_), i, k_);
        if (rule != euler_step::global && !(k_.fixed_step > 0)) return;
        double least = static_cast<double>(k_.fixed_step);
        if (!(k_.fixed_step > 0)) {
            least = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < step_.size(); ++i)
                least = std::min(least, static_cast<double>(step_[i]) * system_.grid.volume[i]);
        }
        least = time.take(least);
        for (std::size_t i = 0; i < step_.size(); ++i)
            step_[i] = static_cast<Real>(least / system_.grid.volume[i]);
    }

    [[nodiscard]] const euler_scheme& scheme() const { return system_.options.scheme; }
    [[nodiscard]] const gradient_of<Real>* slope_of(index_t i) const {
        return gradient_.empty() ? nullptr : &gradient_[static_cast<std::size_t>(i)];
    }

    void find_residuals() {
        cpu::rare_poll poll(1 << 10);
        for (std::size_t i = 0; i < gradient_.size(); ++i, poll())
            gradient_[i] = steady_gradient(mesh_.grid, states(), static_cast<index_t>(i), k_);
        for (std::size_t i = 0; i < shocks_.size(); ++i)
            shocks_[i] = shock_part(mesh_.grid, states(), static_cast<index_t>(i), k_);
        const plain_gradients<Real> slopes{gradient_.data()};
        with_scheme(scheme(), [&]<euler_flux Flux, int Order>() {
            const auto sum_fluxes = [&](const auto& shocks) {
                for (std::size_t i = 0; i < residual_.size(); ++i, poll())
                    residual_[i] = cell_residual<Flux, Order>(mesh_.grid, states(), slopes,
                                                              static_cast<index_t>(i), k_, shocks);
            };
            if constexpr (keeps_contacts(Flux))
                if (!shocks_.empty()) return sum_fluxes(plain_shocks<Real>{shocks_.data()});
            sum_fluxes(no_shocks{});
        });
    }

    void smooth_residuals() {
        if (scheme().smoothing == 0) return;
        const std::vector<flux_of<Real>> rough = residual_;
        std::vector<flux_of<Real>> next(residual_.size());
        for (int sweep = 0; sweep < scheme().smoothing; ++sweep) {
            for (std::size_t i = 0; i < next.size(); ++i)
                next[i] = smoothed(mesh_.grid, rough.data(), residual_.data(), static_cast<index_t>(i), k_);
            next.swap(residual_);
        }
    }

    void take_stage(const std::vector<Real>& old, int stage) {
        for (std::size_t i = 0; i < step_.size(); ++i)
            for (std::size_t v = 0; v < variables; ++v) {
                Real& u = now_[variables * i + v];
                u = k_.from_old[stage] * old[variables * i + v] + k_.from_now[stage] * u +
                    k_.from_flux[stage] * step_[i] * residual_[i].at[v];
            }
    }

    const flow_system& system_;
    host_arrays<Real> mesh_;
    constants<Real> k_;
    std::vector<Real> now_, kept_;             // [cells][5]
    std::vector<gradient_of<Real>> gradient_;  // of second order
    std::vector<Real> shocks_;                 // where strong shocks are blended
    std::vector<flux_of<Real>> residual_;
    std::vector<Real> step_;                       // over the volume
    std::unique_ptr<coarse_levels<Real>> coarse_;  // made when they are first asked
};

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<reference_session<Real>>(job);
    });
}

}  // namespace

measured measured_by_reference(const flow_system& system, const std::vector<euler_state>& state) {
    const advance_job job{.where = on_reference{}, .system = &system, .state = &state};
    return with_precision(system.options.precision,
                          [&]<class Real>() { return reference_session<Real>(job).measure(); });
}

std::vector<euler_state> residuals_of(const flow_system& system, const std::vector<euler_state>& state) {
    const advance_job job{.where = on_reference{}, .system = &system, .state = &state};
    return with_precision(system.options.precision, [&]<class Real>() {
        reference_session<Real> e(job);
        std::vector<euler_state> out;
        for (const flux_of<Real>& r : e.residuals()) {
            euler_state s;
            for (std::size_t v = 0; v < variables; ++v) s[v] = static_cast<double>(r.at[v]);
            out.push_back(s);
        }
        return out;
    });
}

extern constinit const flow_row advance_reference_plain{
    "reference/plain", "each stage gathers the fluxes of every cell, then takes its step: the reference",
    create};

}  // namespace wale::euler
