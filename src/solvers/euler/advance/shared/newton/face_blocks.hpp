// face_blocks - how the flux through a face changes with the state behind it, to first order, and the part of
// the time step in a cell's balance: what all rows of Newton's method linearise with.
#pragma once

#include "solvers/euler/advance/cell.hpp"
#include "solvers/euler/advance/shared/newton/blocks.hpp"

namespace wale::euler {

/// What a change of each variable is large or small beside: the free stream's density, that times its speed
/// of sound, its pressure. Its parts have no unit.
[[nodiscard]] WALE_HD inline balance units_of(const constants<double>& k) {
    const double momentum = k.far.rho * k.far.c;
    return {k.far.rho, momentum, momentum, momentum, k.far.p};
}

/// d flux / d state by one-sided differences: of the state behind the face, or at a patch of the cell's own.
/// `points` are those of all cells.
template <euler_flux Flux, class Grid, class States>
[[nodiscard]] WALE_HD block face_block(const Grid& grid, const States& points, index_t cell, index_t row,
                                       const balance& units, const constants<double>& k) {
    constexpr double step = 1e-7;  // near the root of rounding: as much error from one as from the other
    double n[3];
    grid.normal(row, n);
    const std::int32_t other = grid.neighbour(row);
    const gas_point<double> own = points.point(cell, k);
    const auto flux = [&](const gas_point<double>& g) {
        if (!is_patch(other)) return face_flux<Flux>(own, g, n, k);
        return boundary_flux<Flux>(grid.kinds[patch_of(other)], g, grid.said[patch_of(other)], n, k);
    };
    const gas_point<double> base = is_patch(other) ? own : points.point(other, k);
    const double state[variables] = {base.rho, base.rho * base.u, base.rho * base.v, base.rho * base.w,
                                     base.energy};
    const flux_of<double> before = flux(point_of(state, k));
    block b;
    for (int c = 0; c < variables; ++c) {
        double moved[variables];
        for (int v = 0; v < variables; ++v) moved[v] = state[v];  // nvcc 13 makes nothing of std::copy_n
        const double h = step * units[static_cast<std::size_t>(c)];
        moved[c] += h;
        const flux_of<double> after = flux(point_of(moved, k));
        for (int v = 0; v < variables; ++v) b[block_place(v, c)] = (after.at[v] - before.at[v]) / h;
    }
    return b;
}

/// Half of the sum of |v.n| + c over a cell's faces, the larger of both sides: over a CFL number it is the
/// volume over the step of time.
template <class Grid, class States>
[[nodiscard]] WALE_HD double waves_of(const Grid& grid, const States& points, index_t cell,
                                      const constants<double>& k) {
    double sum = 0;
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        double n[3];
        grid.normal(row, n);
        const double area = length_of(n);
        const auto wave = [&](const gas_point<double>& g) { return std::fabs(through(g, n)) + g.c * area; };
        double most = wave(points.point(cell, k));
        if (!is_patch(grid.neighbour(row))) most = std::max(most, wave(points.point(grid.neighbour(row), k)));
        sum += 0.5 * most;
    }
    return sum;
}

/// The larger of the parts by which density and pressure change, to first order.
[[nodiscard]] WALE_HD inline double part_of_change(const balance& change, const gas_point<double>& own,
                                                   const constants<double>& k) {
    const double squares = own.u * own.u + own.v * own.v + own.w * own.w;
    const double rise = k.gamma_1 * (change[4] - own.u * change[1] - own.v * change[2] - own.w * change[3] +
                                     0.5 * squares * change[0]);
    return std::max(std::fabs(change[0]) / own.rho, std::fabs(rise) / own.p);
}

/// waves_of(), or more where a step at the CFL number would by the balance alone change density or pressure
/// by more than the whole of it, as where a fast stream strikes a wall at the start: a linear change over
/// such a step has the wrong sign.
template <class Grid, class States>
[[nodiscard]] WALE_HD double waves_for(const Grid& grid, const States& points, index_t cell,
                                       const balance& own, double cfl, const constants<double>& k) {
    return std::max(waves_of(grid, points, cell, k), cfl * part_of_change(own, points.point(cell, k), k));
}

/// The change shortened so that, to first order, density and pressure change by a fifth at most: where a
/// shock moves, that cell alone goes slowly.
[[nodiscard]] WALE_HD inline balance shortened(const balance& change, const gas_point<double>& own,
                                               const constants<double>& k) {
    constexpr double most = 0.2;
    const double part = part_of_change(change, own, k);
    balance taken = change;
    if (part > most)
        for (double& v : taken) v *= most / part;
    return taken;
}

}  // namespace wale::euler
