// team_newton - Newton's method for steady flows, a team for all cycles. A cycle linearises the balance of
// all cells, solves by GMRES, and takes the change, or as much of it as a gas stands. Far from the steady
// flow the system is that of first order with Rusanov's dissipation; near it the product is a difference of
// two residuals of the scheme itself, and the first-order system of the scheme's flux preconditions it.
#include <atomic>
#include <cmath>
#include <wale/rank_messages.hpp>

#include "solvers/euler/advance/shared/newton/kept_gradients.hpp"
#include "solvers/euler/advance/shared/newton/krylov.hpp"
#include "solvers/euler/advance/shared/newton/linear_system.hpp"
#include "solvers/euler/advance/shared/newton/one_face.hpp"
#include "solvers/euler/advance/shared/newton/team_newton.hpp"
#include "solvers/euler/advance/shared/ranks/collectives.hpp"
#include "solvers/euler/advance/shared/team_measure.hpp"

namespace wale::euler {
namespace {

struct points_of_all {
    const gas_point<double>* at = nullptr;
    [[nodiscard]] const gas_point<double>& point(index_t cell, const constants<double>&) const {
        return at[cell];
    }
};

class newton_session final : public flow_session {
public:
    newton_session(const advance_job& job, sweep_plan plan)
        : system_(*job.system),
          mesh_(system_),
          k_(constants_of<double>(system_)),
          slopes_(scheme().order == 2 ? mesh_.grid : plain_grid<double>{}, k_),
          plan_(std::move(plan)),
          ranks_(job, plan_.order),
          linear_(system_, mesh_.grid, k_, plan_, ranks_),
          krylov_(plan_.order.in_order, ranks_),
          fair_threads_(ranks_.alone() ? 0 : threads_for(system_.options.group)) {
        const auto cells = static_cast<std::size_t>(system_.cells());
        points_.resize(cells);
        moved_points_.resize(cells);
        if (scheme().order == 2) gradient_.resize(cells);
        if (blends_shocks(system_.options)) shocks_.resize(cells);
        residual_.resize(cells);
        face_.resize(system_.grid.neighbour.size());
        for (change_of_all* a : {&state_, &moved_, &balance_, &change_, &scale_}) a->resize(cells);
        const balance units = units_of(k_);
        for (std::size_t i = 0; i < cells; ++i)
            for (std::size_t v = 0; v < variables; ++v)
                scale_[i][v] = 1 / (units[v] * std::sqrt(system_.grid.volume[i] / system_.total_volume));
        cpu::barrier alone(1);
        state_.assign(cells, system_.options.stream.state());
        mesh_.bend_far_field(system_, 0);
        free_stream_ = find_balance({0, 1, alone}, state_);
        ranks_.pass_on();
        follow_lift();
        state_ = kept_ = *job.state;
    }

    void step(flow_steps& steps) override {
        constexpr index_t least = 1000;  // cells of a thread: fewer take less time than the barriers
        const int asked = std::get<on_cpu>(steps.where).threads;
        threads_ = cpu::team_size(asked > 0 ? asked : fair_threads_, ranks_.count() / least);
        cpu::barrier meet(threads_);
        if (steps.iterations > 0)
            cpu::run_team(threads_, [&](int rank) {
                const team_member team{rank, threads_, meet};
                double residual = find_balance(team, state_);
                for (index_t i = 0; i < steps.iterations && !ranks_.failed(); ++i)
                    residual = cycle(team, residual);
            });
        ranks_.pass_on();
        steps.done = steps.iterations;
        steps.run->threads = threads_;
        steps.run->policy = plan_.label();
        if (!ranks_.alone()) steps.run->policy += " ranks=" + std::to_string(ranks_.transport()->size());
    }

    measured measure() override;

    void follow_lift() override { mesh_.bend_far_field(system_, system_.lift); }
    void keep() override { kept_ = state_; }
    void go_back() override { state_ = kept_; }
    void fetch(std::vector<euler_state>& state) override {
        state = state_;
        ranks_.gather(state);
    }

private:
    [[nodiscard]] const euler_scheme& scheme() const { return system_.options.scheme; }

    /// Into residual_ and moved_points_.
    void find_residual(const team_member& team, change_of_all& state) {
        const share mine = ranks_.of(team);
        cpu::barrier& meet = team.meet;
        ranks_.fill(team, state);
        const auto find_point = [&](index_t i) {
            moved_points_[static_cast<std::size_t>(i)] =
                point_of(state[static_cast<std::size_t>(i)].data(), k_);
        };
        each(mine, ranks_.halo(), team, find_point);
        meet.wait();
        const points_of_all points{moved_points_.data()};
        const bool second = scheme().order == 2, blended = !shocks_.empty();
        if (second || blended) {
            each(mine, ranks_.near(), team, [&](index_t i) {
                const auto cell = static_cast<std::size_t>(i);
                if (second) gradient_[cell] = slopes_.of(mesh_.grid, points, i, k_);
                if (blended) shocks_[cell] = shock_part(mesh_.grid, points, i, k_);
            });
            meet.wait();
        }
        with_scheme(scheme(), [&]<euler_flux Flux, int Order>() {
            if (blended)
                find_faces<Flux, Order>(mine, points, plain_shocks<double>{shocks_.data()});
            else
                find_faces<Flux, Order>(mine, points, no_shocks{});
        });
        meet.wait();
        for (index_t i = mine.first; i < mine.last; ++i) {
            flux_of<double>& sum = residual_[static_cast<std::size_t>(i)] = {};
            for (index_t r = mesh_.grid.begin(i); r < mesh_.grid.end(i); ++r)
                for (int v = 0; v < variables; ++v) sum.at[v] += face_[static_cast<std::size_t>(r)].at[v];
        }
        meet.wait();
    }
    /// f(cell) of a thread's cells, and of the thread's share of other ranks' cells.
    template <class F>
    static void each(share mine, const std::vector<std::int32_t>& others, const team_member& team, F&& f) {
        for (index_t i = mine.first; i < mine.last; ++i) f(i);
        const share borrowed = team.of(std::ssize(others));
        for (index_t b = borrowed.first; b < borrowed.last; ++b) f(others[static_cast<std::size_t>(b)]);
    }
    /// What each face brings, by the cell of the lower number, also where that is another rank's; the other
    /// cell's flux has the same bits but for the sign.
    template <euler_flux Flux, int Order, class Shocks>
    void find_faces(share mine, const points_of_all& points, const Shocks& shocks) {
        const plain_gradients<double> slopes{gradient_.data()};
        one_face face{mesh_.grid};
        const auto find = [&](index_t cell, index_t row) {
            const bool patch = is_patch(mesh_.grid.neighbour(row));
            face.row = row;
            if (!patch) face.turned = mesh_.grid.opposite(row);
            const flux_of<double> f = cell_residual<Flux, Order>(face, points, slopes, cell, k_, shocks);
            face_[static_cast<std::size_t>(row)] = f;
            if (patch) return;
            flux_of<double>& turned = face_[static_cast<std::size_t>(face.turned)];
            for (int v = 0; v < variables; ++v) turned.at[v] = -f.at[v];
        };
        for (index_t i = mine.first; i < mine.last; ++i)
            for (index_t row = mesh_.grid.begin(i); row < mesh_.grid.end(i); ++row) {
                const std::int32_t other = mesh_.grid.neighbour(row);
                if (is_patch(other) || other >= i)
                    find(i, row);
                else if (!ranks_.has(other))
                    find(other, mesh_.grid.opposite(row));
            }
    }

    /// The root of the mean square of density's residual, as a measurement has it, but for rounding.
    double norm_of_residual(const team_member& team) {
        const double sum = krylov_.sums.of(team, [&](std::int32_t cell) {
            const double r = residual_[static_cast<std::size_t>(cell)].at[0];
            return r * r / system_.grid.volume[static_cast<std::size_t>(cell)];
        });
        return std::sqrt(sum / system_.total_volume);
    }
    /// Of a state, into balance_; its norm.
    double find_balance(const team_member& team, change_of_all& state) {
        find_residual(team, state);
        const double norm = norm_of_residual(team);
        keep_balance(team);
        return norm;
    }
    void keep_balance(const team_member& team) {
        const share mine = ranks_.of(team);
        for (auto i = static_cast<std::size_t>(mine.first); i < static_cast<std::size_t>(mine.last); ++i)
            std::copy_n(residual_[i].at, variables, balance_[i].begin());
        team.meet.wait();
    }

    /// From a state whose balance is known, and its norm; the norm afterwards.
    double cycle(const team_member& team, double norm) {
        const newton_rule rule(norm, free_stream_, plan_.bounds);
        const share mine = ranks_.of(team);
        each(mine, ranks_.near(), team, [&](index_t i) {
            points_[static_cast<std::size_t>(i)] = point_of(state_[static_cast<std::size_t>(i)].data(), k_);
        });
        team.meet.wait();
        linear_.assemble(team, rule.linear_flux(scheme().flux), points_of_all{points_.data()}, balance_,
                         rule.cfl);
        const auto sweeps = [&](const change_of_all& b, change_of_all& x) {
            linear_.precondition(team, b, x);
        };
        const auto product = [&](const change_of_all& x, change_of_all& y) {
            if (rule.second)
                multiply(team, x, y);
            else
                linear_.multiply(team, x, y);
        };
        krylov_.solve(team, scale_, balance_, change_, rule.directions, rule.fall, product, sweeps);
        for (auto i = static_cast<std::size_t>(mine.first); i < static_cast<std::size_t>(mine.last); ++i)
            change_[i] = shortened(change_[i], points_[i], k_);
        team.meet.wait();
        return take_change(team, rule, norm);
    }

    /// y = (waves / cfl - d residual / d state) x, the latter by a difference.
    void multiply(const team_member& team, const change_of_all& x, change_of_all& y) {
        constexpr double step = 1e-7;  // the mean change, in units of the free stream
        const balance units = units_of(k_);
        const double squares = krylov_.sums.of(team, [&](std::int32_t cell) {
            double sum = 0;
            for (std::size_t v = 0; v < variables; ++v) {
                const double part = x[static_cast<std::size_t>(cell)][v] / units[v];
                sum += part * part;
            }
            return sum;
        });
        const double h = step * std::sqrt(static_cast<double>(system_.cells()) / squares);
        move(team, h, x);
        find_residual(team, moved_);
        const share mine = ranks_.of(team);
        for (auto i = static_cast<std::size_t>(mine.first); i < static_cast<std::size_t>(mine.last); ++i)
            for (std::size_t v = 0; v < variables; ++v)
                y[i][v] = linear_.of_time(static_cast<index_t>(i)) * x[i][v] -
                          (residual_[i].at[v] - balance_[i][v]) / h;
        team.meet.wait();
    }

    /// moved_ = state_ + part x
    void move(const team_member& team, double part, const change_of_all& x) {
        const share mine = ranks_.of(team);
        for (auto i = static_cast<std::size_t>(mine.first); i < static_cast<std::size_t>(mine.last); ++i)
            for (std::size_t v = 0; v < variables; ++v) moved_[i][v] = state_[i][v] + part * x[i][v];
        team.meet.wait();
    }

    /// The whole change, or half of it, or a quarter, ...: the first that does not let the residual grow too
    /// much or be no number, a sixteenth in any case.
    double take_change(const team_member& team, const newton_rule& rule, double norm) {
        constexpr double least = 0.0625;
        double after = 0;
        for (double part = 1; part >= least; part /= 2) {
            move(team, part, change_);
            find_residual(team, moved_);
            after = norm_of_residual(team);
            if (after < rule.growth * norm) break;
        }
        // With the other ranks' cells, which find_residual() asked for.
        each(ranks_.of(team), ranks_.halo(), team,
             [&](index_t i) { state_[static_cast<std::size_t>(i)] = moved_[static_cast<std::size_t>(i)]; });
        keep_balance(team);
        return after;
    }

    const flow_system& system_;
    host_arrays<double> mesh_;
    constants<double> k_;
    kept_gradients slopes_;
    const sweep_plan plan_;
    rank_cells ranks_;
    linear_system linear_;
    krylov_solver krylov_;
    change_of_all state_, kept_, moved_, balance_, change_, scale_;
    std::vector<gas_point<double>> points_, moved_points_;  // of state_; of the last residual
    std::vector<gradient_of<double>> gradient_;             // of second order
    std::vector<double> shocks_;                            // [cells] of shock_part(), where asked for
    std::vector<flux_of<double>> residual_, face_;          // [cells], [rows]
    double free_stream_ = 0;                                // norm of the free stream's residual
    int fair_threads_;                                      // where none are asked for; 0: all
    int threads_ = 1;
};

measured newton_session::measure() {
    std::atomic<int> come = 0;  // members of the team, in any order
    const auto cell_of = [&](index_t i) { return ranks_.first() + i; };
    const auto by = [&](const auto&... scope) {
        return measure_by_team(
            system_, threads_,
            [&](share, cpu::barrier& meet) {
                find_residual({come.fetch_add(1), threads_, meet}, state_);
            },
            [&](index_t i) {
                const auto cell = static_cast<std::size_t>(cell_of(i));
                cell_measure c = measure_cell(mesh_.grid, moved_points_[cell], residual_[cell], cell_of(i));
                std::array<double, 3> arm;
                measure_walls(mesh_.grid, moved_points_[cell], cell_of(i), k_.far.p,
                              arm_of(system_, cell_of(i), arm), c,
                              gradient_.empty() ? nullptr : &gradient_[cell]);
                return c;
            },
            [&](index_t i) {
                const index_t cell = cell_of(i);
                return is_bad(moved_points_[static_cast<std::size_t>(cell)]) ? system_.number_of(cell) : -1;
            },
            scope...);
    };
    measured m = ranks_.alone() ? by() : by(rank_collectives(*ranks_.transport(), ranks_.count()));
    ranks_.pass_on();
    return m;
}

}  // namespace

std::string why_not_newton_by_team(const advance_job& job) {
    if (job.system->options.scheme.time != euler_time::newton) return "takes time newton only";
    if (job.system->options.layout == euler_layout::variable_major) return "keeps states cell-major";
    return {};
}

std::unique_ptr<flow_session> create_newton_by_team(const advance_job& job, sweep_plan plan) {
    return std::make_unique<newton_session>(job, std::move(plan));
}

}  // namespace wale::euler
