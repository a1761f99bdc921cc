// coarse_levels - what multigrid does below the finest grid, by a team of threads: full approximation storage
// (Brandt 1977; for flows Jameson 1983; on groups of cells Lallemand, Steve, Dervieux 1992), first order.
// Every loop is over the cells that it writes, so that no number of threads changes a bit.
#pragma once

#include <utility>
#include <vector>
#include <wale/mesh.hpp>

#include "cpu/barrier.hpp"
#include "solvers/euler/advance/cell.hpp"
#include "solvers/euler/advance/shared/team_measure.hpp"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

/// A grid of groups of a finer grid's cells. Faces between the same two groups, or of a group on one patch,
/// are one: area vectors add up. It has no coordinates and no opposite faces.
struct coarse_grid {
    mesh grid;
    std::vector<std::int32_t> parent;   // [finer cells] the group of each
    std::vector<index_t> first_member;  // [groups + 1]
    std::vector<std::int32_t> members;  // finer cells, in rising order within a group
    std::vector<double> surface;  // [groups] area of the finest grid's faces round it, before any were joined
};

/// Groups of about eight cells (four in 2-D) that grow by the neighbour which shares the largest part of its
/// surface with them, in a front from cell 0 on: where cells are stretched, groups are less so. Depends on
/// the numbering of `fine`. O(rows).
[[nodiscard]] coarse_grid agglomerated(const mesh& fine);

/// Up to `levels` - 1 ever coarser grids of `fine`, the finest first; fewer where nothing is left to join.
[[nodiscard]] std::vector<coarse_grid> agglomerated_levels(const mesh& fine, int levels);

/// A thread of a team.
struct team_member {
    int rank;
    int size;
    cpu::barrier& meet;
    [[nodiscard]] share of(index_t all) const { return {all, rank, size}; }
};

/// A grid of groups of the next finer one's cells, with what a cycle keeps there.
template <class Real>
struct coarse_level {
    std::vector<index_t> first_face, first_member;
    std::vector<std::int32_t> neighbour, members;
    std::vector<std::int32_t> parent;  // [finer cells] the group of each
    std::vector<Real> part;            // [finer cells] of its group's volume
    std::vector<Real> normals, volumes;
    std::vector<Real> surface;          // of a group, before faces were joined
    std::vector<Real> start, now, old;  // [cells][5] as restricted; as it is; before an iteration
    std::vector<flux_of<Real>> forcing;
    std::vector<flux_of<Real>> residual, smooth, smoother;  // the last two where residuals are smoothed
    std::vector<gas_point<Real>> points;  // of the state now: groups have many neighbours, who all ask
    std::vector<Real> step;               // over the volume
    plain_grid<Real> grid;                // of the above; without coordinates and opposite faces

    [[nodiscard]] static std::size_t place(index_t cell, int v) {
        return static_cast<std::size_t>(variables * cell + v);
    }
    [[nodiscard]] Real& operator()(index_t cell, int v) { return now[place(cell, v)]; }
    void find_point(index_t cell, const constants<Real>& k) {
        points[static_cast<std::size_t>(cell)] = point_of(&now[place(cell, 0)], k);
    }
    [[nodiscard]] const gas_point<Real>& point(index_t cell, const constants<Real>&) const {
        return points[static_cast<std::size_t>(cell)];
    }
};

/// As many coarser grids as the scheme asks for and the mesh allows, the finest first. Groups are made in the
/// mesh's own numbering.
template <class Real>
[[nodiscard]] std::vector<coarse_level<Real>> coarse_levels_of(const flow_system& system,
                                                               const std::vector<gas_point<Real>>& said);

template <class Real>
class coarse_levels {
public:
    coarse_levels(const flow_system& system, const constants<Real>& k,
                  const std::vector<gas_point<Real>>& said)
        : k_(k), smoothing_(system.options.scheme.smoothing), levels_(coarse_levels_of<Real>(system, said)) {}

    [[nodiscard]] bool empty() const { return levels_.empty(); }

    /// Corrects the finest state, of which states(cell, v) is a reference, and whose `residual` all threads
    /// of the team can read. All of them call it, and meet before it returns.
    template <euler_flux Flux, class States>
    void correct(const team_member& team, States&& states, const flux_of<Real>* residual) {
        go_down<Flux>(team, 0, states, residual);
    }

private:
    /// How often a level asks the next coarser one: a W-cycle. On a shell of 6,048 cells it takes 100
    /// iterations where a V-cycle takes 120, and 7% more time each.
    static constexpr int visits = 2;

    /// From a state and its residual down to level `to` and back: the state is corrected.
    template <euler_flux Flux, class States>
    void go_down(const team_member& team, std::size_t to, States&& above, const flux_of<Real>* residual) {
        coarse_level<Real>& level = levels_[to];
        restrict_to(team, level, above, residual);
        find_forcing<Flux>(team, level);
        iterate<Flux>(team, level);
        for (int visit = 0; visit < visits && to + 1 < levels_.size(); ++visit) {
            if (visit > 0) find_points(team, level);
            find_residuals<Flux>(team, level);
            go_down<Flux>(team, to + 1, level, level.residual.data());
        }
        prolong(team, level, above);
    }

    /// States by volume, residuals summed: what flows through the faces inside of a group cancels.
    template <class States>
    void restrict_to(const team_member& team, coarse_level<Real>& to, States& above,
                     const flux_of<Real>* residual) const {
        const share mine = team.of(to.grid.cells);
        for (index_t i = mine.first; i < mine.last; ++i) {
            const auto group = static_cast<std::size_t>(i);
            Real state[variables]{};
            flux_of<Real> sum{};
            for (auto m = static_cast<std::size_t>(to.first_member[group]);
                 m < static_cast<std::size_t>(to.first_member[group + 1]); ++m) {
                const std::int32_t cell = to.members[m];
                const Real part = to.part[static_cast<std::size_t>(cell)];
                for (int v = 0; v < variables; ++v) {
                    state[v] += part * above(cell, v);
                    sum.at[v] += residual[cell].at[v];
                }
            }
            for (int v = 0; v < variables; ++v) to.start[to.place(i, v)] = to(i, v) = state[v];
            to.residual[group] = sum;
            to.find_point(i, k_);
        }
        team.meet.wait();
    }

    void find_points(const team_member& team, coarse_level<Real>& level) const {
        const share mine = team.of(level.grid.cells);
        for (index_t i = mine.first; i < mine.last; ++i) level.find_point(i, k_);
        team.meet.wait();
    }

    /// First order, with walls that push back: their pressure is that of a gas which is stopped, p + rho c
    /// v.n. The cell's pressure alone leaves the velocity between two walls without damping, and what a group
    /// one or two cells away from both adds to it grows from cycle to cycle. The steady flow does not depend
    /// on it: where the finer level rests, so does this one.
    template <euler_flux Flux>
    [[nodiscard]] flux_of<Real> residual_of(const coarse_level<Real>& level, index_t cell) const {
        flux_of<Real> sum = cell_residual<Flux>(level.grid, level, cell, k_);
        const gas_point<Real>& own = level.point(cell, k_);
        for (index_t row = level.grid.begin(cell); row < level.grid.end(cell); ++row) {
            const std::int32_t other = level.grid.neighbour(row);
            if (!is_patch(other)) continue;
            const euler_boundary kind = level.grid.kinds[patch_of(other)];
            if (kind != euler_boundary::wall && kind != euler_boundary::symmetry) continue;
            Real n[3];
            level.grid.normal(row, n);
            const facing<Real> face = facing_of(n);
            const Real push = own.rho * own.c * through(own, face.at);
            for (int d = 0; d < 3; ++d) sum.at[1 + d] -= push * n[d];
        }
        return sum;
    }

    /// What the finer level's residuals are more than those of this level's scheme: where the finer level
    /// rests, so does this one.
    template <euler_flux Flux>
    void find_forcing(const team_member& team, coarse_level<Real>& level) const {
        const share mine = team.of(level.grid.cells);
        for (index_t i = mine.first; i < mine.last; ++i) {
            const auto cell = static_cast<std::size_t>(i);
            const flux_of<Real> own = residual_of<Flux>(level, i);
            for (int v = 0; v < variables; ++v)
                level.forcing[cell].at[v] = level.residual[cell].at[v] - own.at[v];
        }
        team.meet.wait();
    }

    template <euler_flux Flux>
    void find_residuals(const team_member& team, coarse_level<Real>& level) const {
        const share mine = team.of(level.grid.cells);
        for (index_t i = mine.first; i < mine.last; ++i) {
            const auto cell = static_cast<std::size_t>(i);
            level.residual[cell] = residual_of<Flux>(level, i);
            for (int v = 0; v < variables; ++v) level.residual[cell].at[v] += level.forcing[cell].at[v];
        }
        team.meet.wait();
    }

    /// The residuals, or what sweeps of smoothing make of them.
    [[nodiscard]] const flux_of<Real>* smoothed_residuals(const team_member& team,
                                                          coarse_level<Real>& level) const {
        const share mine = team.of(level.grid.cells);
        const flux_of<Real>* now = level.residual.data();
        flux_of<Real>*next = level.smooth.data(), *after = level.smoother.data();
        for (int sweep = 0; sweep < smoothing_; ++sweep) {
            for (index_t i = mine.first; i < mine.last; ++i)
                next[i] = smoothed(level.grid, level.residual.data(), now, i, k_);
            team.meet.wait();
            now = next;
            std::swap(next, after);
        }
        return now;
    }

    /// A joined face may be much smaller than its parts (that of a group round a whole body is nothing): then
    /// the waves through it say little about how much the finer grid's residuals may push.
    [[nodiscard]] Real step_of(const coarse_level<Real>& level, index_t cell) const {
        constexpr Real heeded = Real(0.25);
        const gas_point<Real>& own = level.point(cell, k_);
        const Real most =
            k_.cfl / (heeded * (speed(own) + own.c) * level.surface[static_cast<std::size_t>(cell)]);
        const Real step = step_over_volume(euler_step::local, level.grid, own, cell, k_);
        return step < most ? step : most;
    }

    /// From the residuals that were restricted.
    template <euler_flux Flux>
    void iterate(const team_member& team, coarse_level<Real>& level) const {
        const share mine = team.of(level.grid.cells);
        for (index_t i = mine.first; i < mine.last; ++i) {
            level.step[static_cast<std::size_t>(i)] = step_of(level, i);
            for (int v = 0; v < variables; ++v) level.old[level.place(i, v)] = level(i, v);
        }
        for (int stage = 0; stage < stages; ++stage) {
            if (stage > 0) find_residuals<Flux>(team, level);
            const flux_of<Real>* residual = smoothed_residuals(team, level);
            for (index_t i = mine.first; i < mine.last; ++i) {
                for (int v = 0; v < variables; ++v)
                    level(i, v) =
                        k_.from_old[stage] * level.old[level.place(i, v)] + k_.from_now[stage] * level(i, v) +
                        k_.from_flux[stage] * level.step[static_cast<std::size_t>(i)] * residual[i].at[v];
                level.find_point(i, k_);
            }
            team.meet.wait();
        }
    }

    /// Adds what changed in a cell's group since it was restricted.
    template <class States>
    void prolong(const team_member& team, coarse_level<Real>& from, States& above) const {
        const share mine = team.of(std::ssize(from.parent));
        for (index_t i = mine.first; i < mine.last; ++i) {
            const index_t group = from.parent[static_cast<std::size_t>(i)];
            Real state[variables], change[variables];
            for (int v = 0; v < variables; ++v) {
                state[v] = above(i, v);
                change[v] = from(group, v) - from.start[from.place(group, v)];
            }
            add_what_stays_gas(state, change);
            for (int v = 0; v < variables; ++v) above(i, v) = state[v];
        }
        team.meet.wait();
    }

    /// Adds the change, or half of it, or a quarter and so on: as much as leaves a fifth of the density and
    /// of the pressure; nothing where that is not enough.
    void add_what_stays_gas(Real* state, const Real* change) const {
        constexpr Real least = Real(0.2), smallest = Real(1) / 32;
        const gas_point<Real> before = point_of(state, k_);
        for (Real taken = 1; taken >= smallest; taken /= 2) {
            Real next[variables];
            for (int v = 0; v < variables; ++v) next[v] = state[v] + taken * change[v];
            const gas_point<Real> after = point_of(next, k_);
            if (!(after.rho > least * before.rho) || !(after.p > least * before.p)) continue;
            for (int v = 0; v < variables; ++v) state[v] = next[v];
            return;
        }
    }

    constants<Real> k_;
    int smoothing_;
    std::vector<coarse_level<Real>> levels_;
};

}  // namespace wale::euler
