// linear_system - the first-order linearisation of a flow's balance by a team of threads, its product with a
// change, and the sweeps that precondition Krylov's methods.
#pragma once

#include <utility>
#include <vector>

#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/newton/face_blocks.hpp"
#include "solvers/euler/advance/shared/newton/rank_cells.hpp"

namespace wale::euler {

/// waves / cfl + sum d flux: block rows with a diagonal block, and a block for each neighbour. All members
/// are called by all threads of a team, and all threads have finished when they return.
class linear_system {
public:
    linear_system(const flow_system& system, const plain_grid<double>& grid, const constants<double>& k,
                  const sweep_plan& plan, rank_cells& ranks)
        : grid_(grid), k_(k), units_(units_of(k)), plan_(plan), ranks_(ranks) {
        const auto cells = static_cast<std::size_t>(system.cells());
        waves_.resize(cells);
        diagonal_.resize(cells);
        inverse_.resize(cells);
        beside_.resize(system.grid.neighbour.size());
    }

    /// The part of the time step in a cell's balance.
    [[nodiscard]] double of_time(index_t cell) const { return waves_[static_cast<std::size_t>(cell)] / cfl_; }

    /// At these points, whose balances are `own`; `flux` is that whose dissipation is linearised.
    template <class Points>
    void assemble(const team_member& team, euler_flux flux, const Points& points,
                  const std::vector<balance>& own, double cfl) {
        const share mine = ranks_.of(team);
        if (team.rank == 0) cfl_ = cfl;
        with_flux(flux, [&]<euler_flux Flux>() {
            for (index_t i = mine.first; i < mine.last; ++i) {
                const auto cell = static_cast<std::size_t>(i);
                waves_[cell] = waves_for(grid_, points, i, own[cell], cfl, k_);
                for (index_t r = grid_.begin(i); r < grid_.end(i); ++r) {
                    beside_[static_cast<std::size_t>(r)] = face_block<Flux>(grid_, points, i, r, units_, k_);
                    const std::int32_t other = grid_.neighbour(r);
                    if (is_patch(other) || ranks_.has(other)) continue;
                    const index_t there = grid_.opposite(r);  // which another rank finds for itself
                    beside_[static_cast<std::size_t>(there)] =
                        face_block<Flux>(grid_, points, other, there, units_, k_);
                }
            }
        });
        team.meet.wait();
        for (index_t i = mine.first; i < mine.last; ++i) {
            block& d = diagonal_[static_cast<std::size_t>(i)] = {};
            for (int v = 0; v < variables; ++v) d[block_place(v, v)] = of_time(i);
            for (index_t r = grid_.begin(i); r < grid_.end(i); ++r) {
                const bool patch = is_patch(grid_.neighbour(r));
                // What enters the neighbour leaves this cell: the neighbour's block of this face, turned.
                const block& b = beside_[static_cast<std::size_t>(patch ? r : grid_.opposite(r))];
                for (std::size_t e = 0; e < d.size(); ++e) d[e] += patch ? b[e] : -b[e];
            }
        }
        team.meet.wait();
        factor(team);
    }

    /// y = A x, where x was left by precondition(), so that ranks have it at their neighbours.
    void multiply(const team_member& team, const std::vector<balance>& x, std::vector<balance>& y) const {
        const share mine = ranks_.of(team);
        for (index_t i = mine.first; i < mine.last; ++i) {
            const auto cell = static_cast<std::size_t>(i);
            balance sum{};
            add_product(sum, 1, diagonal_[cell], x[cell]);
            add_neighbours(sum, 1, i, x, [](index_t) { return true; });
            y[cell] = sum;
        }
        team.meet.wait();
    }

    /// x that is near to A^-1 b, by the plan's sweeps.
    void precondition(const team_member& team, const std::vector<balance>& b, std::vector<balance>& x) const {
        if (plan_.forward > 0)
            sweep_forward(team, b, x);
        else
            sweep_up_and_down(team, b, x);
    }

private:
    /// x_i = D^-1 (b_i - sum of the neighbours' blocks times x), with A's diagonal as D, from x = 0 on.
    void sweep_forward(const team_member& team, const std::vector<balance>& b,
                       std::vector<balance>& x) const {
        for (int sweep = 0; sweep < plan_.forward; ++sweep)
            for (index_t l = 0; l < plan_.order.count(); ++l) {
                over_level(team, l, [&](index_t i) {
                    balance sum = b[static_cast<std::size_t>(i)];
                    add_neighbours(sum, -1, i, x,
                                   [&](index_t other) { return sweep > 0 || plan_.order.earlier(other, i); });
                    balance& own = x[static_cast<std::size_t>(i)] = {};
                    add_product(own, 1, inverse_[static_cast<std::size_t>(i)], sum);
                });
                ranks_.fill_level(team, l, x);
            }
    }
    /// Of one process: x = ((D + L) D^-1 (D + U))^-1 b: LU-SGS (Yoon, Jameson 1988), with D such that the
    /// product has A's diagonal (Pommerell 1992).
    void sweep_up_and_down(const team_member& team, const std::vector<balance>& b,
                           std::vector<balance>& x) const {
        const sweep_levels& levels = plan_.order;
        for (index_t l = 0; l < levels.count(); ++l)
            over_level(team, l, [&](index_t i) {
                balance sum = b[static_cast<std::size_t>(i)];
                add_neighbours(sum, -1, i, x, [&](index_t other) { return levels.earlier(other, i); });
                balance& own = x[static_cast<std::size_t>(i)] = {};
                add_product(own, 1, inverse_[static_cast<std::size_t>(i)], sum);
            });
        for (index_t l = levels.count() - 1; l-- > 0;)
            over_level(team, l, [&](index_t i) {
                balance sum{};
                add_neighbours(sum, 1, i, x, [&](index_t other) { return levels.earlier(i, other); });
                add_product(x[static_cast<std::size_t>(i)], -1, inverse_[static_cast<std::size_t>(i)], sum);
            });
    }

    /// D, inverted, of either plan.
    void factor(const team_member& team) {
        for (index_t l = 0; l < plan_.order.count(); ++l)
            over_level(team, l, [&](index_t i) {
                block d = diagonal_[static_cast<std::size_t>(i)];
                for (index_t r = grid_.begin(i); plan_.forward == 0 && r < grid_.end(i); ++r) {
                    const std::int32_t other = grid_.neighbour(r);
                    if (!is_patch(other) && plan_.order.earlier(other, i))
                        subtract_product(d, beside_[static_cast<std::size_t>(r)],
                                         inverse_[static_cast<std::size_t>(other)],
                                         beside_[static_cast<std::size_t>(grid_.opposite(r))]);
                }
                inverse_[static_cast<std::size_t>(i)] = inverse_of(d, units_);
            });
    }

    /// f(cell) of a level's cells. Who does what: each thread a share of the level. What it waits for: the
    /// level before, on all threads. The barrier is bounded, and all threads pass as many.
    template <class F>
    void over_level(const team_member& team, index_t level, F&& f) const {
        const auto [from, to] = ranks_.in_level(level);
        const share mine = team.of(to - from);
        for (index_t at = mine.first; at < mine.last; ++at)
            f(plan_.order.cells[static_cast<std::size_t>(from + at)]);
        team.meet.wait();
    }

    template <class Taken>
    void add_neighbours(balance& sum, double scale, index_t cell, const std::vector<balance>& x,
                        const Taken& taken) const {
        for (index_t r = grid_.begin(cell); r < grid_.end(cell); ++r) {
            const std::int32_t other = grid_.neighbour(r);
            if (!is_patch(other) && taken(other))
                add_product(sum, scale, beside_[static_cast<std::size_t>(r)],
                            x[static_cast<std::size_t>(other)]);
        }
    }

    plain_grid<double> grid_;
    constants<double> k_;
    balance units_;
    const sweep_plan& plan_;
    rank_cells& ranks_;
    double cfl_ = 1;
    std::vector<double> waves_;              // [cells] of waves_for()
    std::vector<block> diagonal_, inverse_;  // [cells] of A; of D, inverted
    std::vector<block> beside_;              // [rows] of each neighbour; at a patch the cell's own
};

}  // namespace wale::euler
