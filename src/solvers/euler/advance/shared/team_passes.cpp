// team_passes - plain loops over cells by a team of threads, one parallel region for all iterations of a
// call. A stage reads one buffer and writes another, so it needs no pass of its own for the step. Stages go
// from buffer 0 to 1, 1 to 2 and 2 to 0, where the state from before the iteration waits: only its own cell
// reads that, just before it writes it. Bits are those of the reference.
#include "solvers/euler/advance/shared/team_passes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/multigrid/coarse_levels.hpp"
#include "solvers/euler/advance/shared/team_measure.hpp"

namespace wale::euler {
namespace {

/// The five of a cell side by side, or all cells' densities, all cells' momenta and so on.
template <class Real, bool VariableMajor>
struct laid_out {
    Real* at = nullptr;
    index_t cells = 0;
    [[nodiscard]] Real& operator()(index_t cell, int v) const {
        return at[VariableMajor ? v * cells + cell : variables * cell + v];
    }
    [[nodiscard]] gas_point<Real> point(index_t cell, const constants<Real>& k) const {
        Real s[variables];
        for (int v = 0; v < variables; ++v) s[v] = (*this)(cell, v);
        return point_of(s, k);
    }
};

/// What fluxes ask of each cell, found once a stage: a cell's neighbours, and with second order theirs, would
/// each divide and take the root again.
template <class Real>
struct known_points {
    const gas_point<Real>* at = nullptr;
    [[nodiscard]] const gas_point<Real>& point(index_t cell, const constants<Real>&) const {
        return at[cell];
    }
};

template <class Real, bool VariableMajor>
class team_session final : public flow_session {
    using states = laid_out<Real, VariableMajor>;

public:
    team_session(const advance_job& job, int passes, bool packed)
        : system_(*job.system),
          mesh_(system_),
          k_(constants_of<Real>(system_)),
          coarse_(system_, k_, mesh_.said),
          stored_(passes > 1 || scheme().smoothing > 0),
          passes_(passes) {
        const auto cells = static_cast<std::size_t>(system_.cells());
        for (auto& b : buffers_) b.resize(variables * cells);
        kept_.resize(variables * cells);
        step_.resize(cells);
        if (packed) points_.resize(cells);
        if (scheme().order == 2) gradient_.resize(cells);
        if (blends_shocks(system_.options)) shocks_.resize(cells);
        if (stored_ || !coarse_.empty()) residual_[0].resize(cells);
        for (std::size_t i = 1; scheme().smoothing > 0 && i < residual_.size(); ++i)
            residual_[i].resize(cells);
        for (index_t i = 0; i < system_.cells(); ++i)
            for (int v = 0; v < variables; ++v)
                buffer(0)(i, v) =
                    static_cast<Real>((*job.state)[static_cast<std::size_t>(i)][static_cast<std::size_t>(v)]);
    }

    void step(flow_steps& steps) override {
        threads_ = cpu::team_size(std::get<on_cpu>(steps.where).threads, system_.cells());
        least_.assign(static_cast<std::size_t>(threads_), {});
        flow_time end = steps.time;
        index_t done = 0;
        cpu::barrier meet(threads_);
        with_scheme(scheme(), [&]<euler_flux Flux, int Order>() {
            cpu::run_team(threads_, [&](int rank) {
                flow_time time = steps.time;  // all threads' times go alike
                index_t iterations = 0;
                for (; iterations < steps.iterations && !time.at_end(); ++iterations)
                    iterate<Flux, Order>(rank, time, meet);
                if (rank > 0) return;
                end = time;
                done = iterations;
            });
        });
        steps.time = end;
        steps.done = done;
        steps.run->threads = threads_;
        steps.run->policy = !points_.empty() ? "layout=packed"
                            : VariableMajor  ? "layout=variable_major"
                                             : "layout=cell_major";
    }

    measured measure() override {
        const states into = buffer(1);
        return measure_by_team(
            system_, threads_,
            [&](share mine, cpu::barrier& meet) {
                with_scheme(scheme(), [&]<euler_flux Flux, int Order>() {
                    find_points(mine, 0, meet);
                    find_gradients(mine, 0, meet);
                    for (index_t i = mine.first; i < mine.last; ++i) {
                        const flux_of<Real> r = residual_of<Flux, Order>(i, 0);
                        for (int v = 0; v < variables; ++v) into(i, v) = r.at[v];
                    }
                });
            },
            [&](index_t i) {
                const auto own = buffer(0).point(i, k_);
                flux_of<Real> r;
                for (int v = 0; v < variables; ++v) r.at[v] = into(i, v);
                cell_measure c = measure_cell(mesh_.grid, own, r, i);
                std::array<double, 3> arm;
                measure_walls(mesh_.grid, own, i, k_.far.p, arm_of(system_, i, arm), c,
                              gradient_.empty() ? nullptr : &gradient_[static_cast<std::size_t>(i)]);
                return c;
            },
            [&](index_t i) { return is_bad(buffer(0).point(i, k_)) ? system_.number_of(i) : -1; });
    }

    void follow_lift() override { mesh_.bend_far_field(system_, system_.lift); }
    void keep() override { kept_ = buffers_[0]; }
    void go_back() override { buffers_[0] = kept_; }
    void fetch(std::vector<euler_state>& state) override {
        for (index_t i = 0; i < system_.cells(); ++i)
            for (int v = 0; v < variables; ++v)
                state[static_cast<std::size_t>(i)][static_cast<std::size_t>(v)] =
                    static_cast<double>(buffer(0)(i, v));
    }

private:
    struct alignas(base::cache_line) padded {
        double value = 0;
    };

    [[nodiscard]] states buffer(int stage) {
        return {buffers_[static_cast<std::size_t>(stage % stages)].data(), system_.cells()};
    }

    [[nodiscard]] const euler_scheme& scheme() const { return system_.options.scheme; }

    template <euler_flux Flux, int Order>
    void iterate(int rank, flow_time& time, cpu::barrier& meet) {
        const share mine(system_.cells(), rank, threads_);
        if (!coarse_.empty()) correct<Flux, Order>(mine, {rank, threads_, meet});
        find_steps(mine, rank, time, meet);
        for (int stage = 0; stage < stages; ++stage) {
            find_points(mine, stage, meet);
            find_gradients(mine, stage, meet);
            if (!stored_)
                for (index_t i = mine.first; i < mine.last; ++i)
                    take_step(i, stage, residual_of<Flux, Order>(i, stage));
            else
                take_stored<Flux, Order>(mine, stage, meet);
            meet.wait();
        }
    }

    /// By coarser grids.
    template <euler_flux Flux, int Order>
    void correct(share mine, const team_member& team) {
        find_points(mine, 0, team.meet);
        find_gradients(mine, 0, team.meet);
        for (index_t i = mine.first; i < mine.last; ++i)
            residual_[0][static_cast<std::size_t>(i)] = residual_of<Flux, Order>(i, 0);
        team.meet.wait();
        coarse_.template correct<Flux>(team, buffer(0), residual_[0].data());
    }

    /// Each cell's step over its volume; the same step of time for all where the scheme is global.
    void find_steps(share mine, int rank, flow_time& time, cpu::barrier& meet) {
        const euler_step rule = scheme().step;
        const states now = buffer(0);
        for (index_t i = mine.first; i < mine.last; ++i)
            step_[static_cast<std::size_t>(i)] = step_over_volume(rule, mesh_.grid, now.point(i, k_), i, k_);
        if (rule != euler_step::global && !(k_.fixed_step > 0)) return;
        auto least = static_cast<double>(k_.fixed_step);
        if (!(k_.fixed_step > 0)) {
            least = std::numeric_limits<double>::infinity();
            for (auto i = static_cast<std::size_t>(mine.first); i < static_cast<std::size_t>(mine.last); ++i)
                least = std::min(least, static_cast<double>(step_[i]) * system_.grid.volume[i]);
            least_[static_cast<std::size_t>(rank)].value = least;
            meet.wait();
            for (const padded& p : least_) least = std::min(least, p.value);
        }
        least = time.take(least);
        for (auto i = static_cast<std::size_t>(mine.first); i < static_cast<std::size_t>(mine.last); ++i)
            step_[i] = static_cast<Real>(least / system_.grid.volume[i]);
    }

    /// Of packed states alone.
    void find_points(share mine, int stage, cpu::barrier& meet) {
        if (points_.empty()) return;
        for (index_t i = mine.first; i < mine.last; ++i)
            points_[static_cast<std::size_t>(i)] = buffer(stage).point(i, k_);
        meet.wait();
    }

    /// f(the states of a stage)
    template <class F>
    auto with_states(int stage, F&& f) {
        return points_.empty() ? f(buffer(stage)) : f(known_points<Real>{points_.data()});
    }

    /// Of second order, and where strong shocks are blended.
    void find_gradients(share mine, int stage, cpu::barrier& meet) {
        if (gradient_.empty() && shocks_.empty()) return;
        with_states(stage, [&](const auto& at) {
            const auto first = static_cast<std::size_t>(mine.first);
            for (std::size_t i = first; !gradient_.empty() && i < static_cast<std::size_t>(mine.last); ++i)
                gradient_[i] = scheme_gradient(mesh_.grid, at, static_cast<index_t>(i), k_);
            for (std::size_t i = first; !shocks_.empty() && i < static_cast<std::size_t>(mine.last); ++i)
                shocks_[i] = shock_part(mesh_.grid, at, static_cast<index_t>(i), k_);
        });
        meet.wait();
    }

    template <euler_flux Flux, int Order>
    [[nodiscard]] flux_of<Real> residual_of(index_t cell, int stage) {
        return with_states(stage, [&](const auto& at) {
            const plain_gradients<Real> slopes{gradient_.data()};
            if constexpr (keeps_contacts(Flux))
                if (!shocks_.empty())
                    return cell_residual<Flux, Order>(mesh_.grid, at, slopes, cell, k_,
                                                      plain_shocks<Real>{shocks_.data()});
            return cell_residual<Flux, Order>(mesh_.grid, at, slopes, cell, k_);
        });
    }

    /// Where residuals are smoothed, or each variable has a pass of its own, they are stored first.
    template <euler_flux Flux, int Order>
    void take_stored(share mine, int stage, cpu::barrier& meet) {
        flux_of<Real>* rough = residual_[0].data();
        for (int pass = 0; pass < passes_; ++pass)
            for (index_t i = mine.first; i < mine.last; ++i) {
                const flux_of<Real> r = residual_of<Flux, Order>(i, stage);
                if (passes_ == 1)
                    rough[i] = r;
                else
                    rough[i].at[pass] = r.at[pass];
            }
        flux_of<Real>*smooth = rough, *next = residual_[1].data(), *after = residual_[2].data();
        for (int sweep = 0; sweep < scheme().smoothing; ++sweep) {
            meet.wait();
            for (index_t i = mine.first; i < mine.last; ++i)
                next[i] = smoothed(mesh_.grid, rough, smooth, i, k_);
            smooth = std::exchange(next, std::exchange(after, next));
        }
        for (index_t i = mine.first; i < mine.last; ++i) take_step(i, stage, smooth[i]);
    }

    void take_step(index_t cell, int stage, const flux_of<Real>& residual) {
        const states old = buffer(0), now = buffer(stage), next = buffer(stage + 1);
        for (int v = 0; v < variables; ++v)
            next(cell, v) = k_.from_old[stage] * old(cell, v) + k_.from_now[stage] * now(cell, v) +
                            k_.from_flux[stage] * step_[static_cast<std::size_t>(cell)] * residual.at[v];
    }

    const flow_system& system_;
    host_arrays<Real> mesh_;
    constants<Real> k_;
    std::array<base::aligned_vector<Real>, stages> buffers_;  // the state is in the first between iterations
    base::aligned_vector<Real> kept_;
    std::vector<gas_point<Real>> points_;                 // of packed states
    std::vector<gradient_of<Real>> gradient_;             // of second order
    std::vector<Real> shocks_;                            // where strong shocks are blended
    std::array<std::vector<flux_of<Real>>, 3> residual_;  // where they are stored; two more to smooth
    base::aligned_vector<Real> step_;                     // over the volume
    std::vector<padded> least_;                           // step of each thread's cells
    coarse_levels<Real> coarse_;
    bool stored_;  // whether a stage's residuals are
    int passes_;
    int threads_ = 1;
};

}  // namespace

std::unique_ptr<flow_session> create_team_passes(const advance_job& job, int passes) {
    const euler_options& o = job.system->options;
    return with_precision(o.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        const bool packed = o.layout == euler_layout::packed || o.layout == euler_layout::automatic;
        if (o.layout == euler_layout::variable_major)
            return std::make_unique<team_session<Real, true>>(job, passes, false);
        return std::make_unique<team_session<Real, false>>(job, passes, passes == 1 && packed);
    });
}

}  // namespace wale::euler
