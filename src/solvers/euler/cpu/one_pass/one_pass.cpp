// one_pass - plain loops over cells by a team of threads, one parallel region for all iterations of a call.
// A stage reads one buffer and writes another, so it needs no pass of its own for the step. Stages go from
// buffer 0 to 1, 1 to 2 and 2 to 0, where the state from before the iteration waits: only its own cell reads
// that, just before it writes it. Bits are those of the reference.
//
// five_passes differs in one thing: it computes all fluxes anew for each of the five variables.
#include <algorithm>
#include <limits>

#include "solvers/euler/cpu.hpp"
#include "solvers/euler/cpu/team_measure.hpp"
#include "solvers/euler/dispatch.hpp"

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

template <class Real, bool VariableMajor>
class one_pass_engine final : public engine {
    using states = laid_out<Real, VariableMajor>;

public:
    one_pass_engine(const advance_job& job, int passes)
        : system_(*job.system), mesh_(system_), k_(constants_of<Real>(system_)), passes_(passes) {
        const auto cells = static_cast<std::size_t>(system_.cells());
        for (auto& b : buffers_) b.resize(variables * cells);
        kept_.resize(variables * cells);
        step_.resize(cells);
        if (passes_ > 1) residual_.resize(variables * cells);
        for (index_t i = 0; i < system_.cells(); ++i)
            for (int v = 0; v < variables; ++v)
                buffer(0)(i, v) =
                    static_cast<Real>((*job.state)[static_cast<std::size_t>(i)][static_cast<std::size_t>(v)]);
    }

    void advance(advance_job& job) override {
        threads_ = cpu::team_size(std::get<on_cpu>(job.where).threads, system_.cells());
        least_.assign(static_cast<std::size_t>(threads_), {});
        std::vector<flow_clock> clocks(static_cast<std::size_t>(threads_), job.clock);
        std::vector<index_t> done(clocks.size());
        cpu::meeting meet(threads_);
        with_flux(system_.options.scheme.flux, [&]<euler_flux Flux>() {
            cpu::run_team(threads_, [&](int rank) {
                flow_clock clock = job.clock;
                index_t iterations = 0;
                for (; iterations < job.iterations && !clock.at_end(); ++iterations)
                    iterate<Flux>(rank, clock, meet);
                clocks[static_cast<std::size_t>(rank)] = clock;
                done[static_cast<std::size_t>(rank)] = iterations;
            });
        });
        job.clock = clocks[0];
        job.done = done[0];
        job.run->threads = threads_;
        job.run->policy = VariableMajor ? "layout=variable_major" : "layout=cell_major";
    }

    measured measure() override {
        const bool placed = system_.grid.has_centres();
        const states into = buffer(1);
        return measure_by_team(
            system_, threads_,
            [&](share mine) {
                with_flux(system_.options.scheme.flux, [&]<euler_flux Flux>() {
                    for (index_t i = mine.first; i < mine.last; ++i) {
                        const flux_of<Real> r = cell_residual<Flux>(mesh_.grid, buffer(0), i, k_);
                        for (int v = 0; v < variables; ++v) into(i, v) = r.at[v];
                    }
                });
            },
            [&](index_t i) {
                const auto own = buffer(0).point(i, k_);
                flux_of<Real> r;
                for (int v = 0; v < variables; ++v) r.at[v] = into(i, v);
                cell_measure c = measure_cell(mesh_.grid, own, r, i);
                double centre[3]{};
                for (std::size_t d = 0; placed && d < 3; ++d)
                    centre[d] = system_.grid.centre[static_cast<std::size_t>(3 * i) + d] -
                                system_.options.moment_centre[d];
                measure_walls(mesh_.grid, own, i, k_.far.p, placed ? centre : nullptr, c);
                return c;
            },
            [&](index_t i) { return is_bad(buffer(0).point(i, k_)) ? system_.number_of(i) : -1; });
    }

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

    template <euler_flux Flux>
    void iterate(int rank, flow_clock& clock, cpu::meeting& meet) {
        const share mine(system_.cells(), rank, threads_);
        find_steps(mine, rank, clock, meet);
        for (int stage = 0; stage < stages; ++stage) {
            passes_ > 1 ? five_passes<Flux>(mine, stage) : one_pass<Flux>(mine, stage);
            meet.wait();
        }
    }

    /// Each cell's step over its volume; the same step of time for all where the scheme is global.
    void find_steps(share mine, int rank, flow_clock& clock, cpu::meeting& meet) {
        const euler_step rule = system_.options.scheme.step;
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
        least = clock.take(least);
        for (auto i = static_cast<std::size_t>(mine.first); i < static_cast<std::size_t>(mine.last); ++i)
            step_[i] = static_cast<Real>(least / system_.grid.volume[i]);
    }

    template <euler_flux Flux>
    void one_pass(share mine, int stage) {
        const states now = buffer(stage);
        for (index_t i = mine.first; i < mine.last; ++i) {
            const flux_of<Real> r = cell_residual<Flux>(mesh_.grid, now, i, k_);
            for (int v = 0; v < variables; ++v) take_step(i, v, stage, r.at[v]);
        }
    }

    template <euler_flux Flux>
    void five_passes(share mine, int stage) {
        const states now = buffer(stage), residual{residual_.data(), system_.cells()};
        for (int v = 0; v < variables; ++v)
            for (index_t i = mine.first; i < mine.last; ++i)
                residual(i, v) = cell_residual<Flux>(mesh_.grid, now, i, k_).at[v];
        for (index_t i = mine.first; i < mine.last; ++i)
            for (int v = 0; v < variables; ++v) take_step(i, v, stage, residual(i, v));
    }

    void take_step(index_t cell, int v, int stage, Real residual) {
        buffer(stage + 1)(cell, v) = k_.from_old[stage] * buffer(0)(cell, v) +
                                     k_.from_now[stage] * buffer(stage)(cell, v) +
                                     k_.from_flux[stage] * step_[static_cast<std::size_t>(cell)] * residual;
    }

    const flow_system& system_;
    host_arrays<Real> mesh_;
    constants<Real> k_;
    std::array<base::aligned_vector<Real>, stages> buffers_;  // the state is in the first between iterations
    base::aligned_vector<Real> kept_, residual_;
    base::aligned_vector<Real> step_;  // over the volume
    std::vector<padded> least_;        // step of each thread's cells
    int passes_;
    int threads_ = 1;
};

void advance_by_passes(advance_job& job, int passes) {
    const euler_options& o = job.system->options;
    if (!job.engine)
        job.engine = with_precision(o.precision, [&]<class Real>() -> std::unique_ptr<engine> {
            if (o.layout == euler_layout::variable_major)
                return std::make_unique<one_pass_engine<Real, true>>(job, passes);
            return std::make_unique<one_pass_engine<Real, false>>(job, passes);
        });
    job.engine->advance(job);
}

}  // namespace

std::string refuses_plain_passes(const advance_job& job) {
    const euler_options& o = job.system->options;
    if (o.layout == euler_layout::packed) return "keeps states cell-major or variable-major";
    if (o.scheme.smoothing > 0) return "does not smooth residuals";
    if (o.scheme.levels > 1) return "has no multigrid";
    if (o.scheme.order > 1) return "is of first order";
    return {};
}

void advance_one_pass(advance_job& job) {
    advance_by_passes(job, 1);
}
void advance_five_passes(advance_job& job) {
    advance_by_passes(job, variables);
}

}  // namespace wale::euler
