// gradient - second order: a cell's gradient of density, velocity and pressure by least squares over its
// neighbours, limited so that no new extremes appear, and what it makes of the state at a face.
#pragma once

#include "solvers/euler/advance/boundaries.hpp"

namespace wale::euler {

/// Of density, velocity, pressure, a unit of length.
template <class Real>
struct gradient_of {
    Real at[variables][3];
};

/// Of all cells, one after the other.
template <class Real>
struct plain_gradients {
    const gradient_of<Real>* all = nullptr;  // [cells]
    [[nodiscard]] WALE_HD const gradient_of<Real>& at(index_t cell) const { return all[cell]; }
};
/// First order asks for none.
struct no_gradients {};

/// The normal equations of least squares: sum d d^T / |d|^2, which has no unit, and its right-hand sides.
template <class Real>
struct normal_equations {
    Real xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    Real x[variables]{}, y[variables]{}, z[variables]{};  // sum d difference / |d|^2

    WALE_HD void add(const Real* d, const primitives<Real>& own, const primitives<Real>& other) {
        const Real square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!(square > 0)) return;
        const Real weight = Real(1) / square;
        const Real wx = d[0] * weight, wy = d[1] * weight, wz = d[2] * weight;
        xx += wx * d[0];
        yy += wy * d[1];
        zz += wz * d[2];
        xy += wx * d[1];
        xz += wx * d[2];
        yz += wy * d[2];
        for (int v = 0; v < variables; ++v) {
            const Real difference = other.at[v] - own.at[v];
            x[v] += wx * difference;
            y[v] += wy * difference;
            z[v] += wz * difference;
        }
    }

    /// Cholesky's elimination, the largest remaining pivot first. A direction in which no neighbour lies (z
    /// of a 2-D mesh) has a pivot of rounding beside the trace: the gradient along it is 0.
    [[nodiscard]] WALE_HD gradient_of<Real> solved() {
        const Real least = 16 * epsilon() * (xx + yy + zz);
        const bool first = exchange_xz(zz > xx && zz >= yy), second = exchange_xy(yy > xx);
        const Real ixx = inverse(xx, least), lxy = xy * ixx, lxz = xz * ixx;
        yy -= lxy * xy;
        zz -= lxz * xz;
        yz -= lxy * xz;
        // The rest has two directions, the larger pivot first again.
        const bool third = zz > yy;
        const Real ia = inverse(third ? zz : yy, least), l = yz * ia;
        const Real ib = inverse((third ? yy : zz) - l * yz, least);
        for (int v = 0; v < variables; ++v) {
            const Real ry = y[v] - lxy * x[v], rz = z[v] - lxz * x[v];
            const Real a = third ? rz : ry, b = third ? ry : rz;
            const Real gb = (b - l * a) * ib, ga = a * ia - l * gb;
            y[v] = third ? gb : ga;
            z[v] = third ? ga : gb;
            x[v] = x[v] * ixx - lxy * y[v] - lxz * z[v];
        }
        exchange_xy(second);
        exchange_xz(first);
        gradient_of<Real> g;
        for (int v = 0; v < variables; ++v) {
            g.at[v][0] = x[v];
            g.at[v][1] = y[v];
            g.at[v][2] = z[v];
        }
        return g;
    }

private:
    [[nodiscard]] WALE_HD static constexpr Real epsilon() {
        return sizeof(Real) == 4 ? Real(1.1920929e-07) : Real(2.220446049250313e-16);
    }
    [[nodiscard]] WALE_HD static Real inverse(Real pivot, Real least) {
        return pivot > least ? Real(1) / pivot : Real(0);
    }
    WALE_HD static void exchange(Real& a, Real& b) {
        const Real t = a;
        a = b;
        b = t;
    }
    /// Exchanges two axes, if wanted; whether it was.
    WALE_HD bool exchange_xy(bool wanted) {
        if (!wanted) return false;
        exchange(xx, yy);
        exchange(xz, yz);
        for (int v = 0; v < variables; ++v) exchange(x[v], y[v]);
        return true;
    }
    WALE_HD bool exchange_xz(bool wanted) {
        if (!wanted) return false;
        exchange(xx, zz);
        exchange(xy, yz);
        for (int v = 0; v < variables; ++v) exchange(x[v], z[v]);
        return true;
    }
};

/// The least and the greatest of a cell's and its neighbours' values.
template <class Real>
struct value_range {
    Real least[variables], most[variables];
    WALE_HD explicit value_range(const primitives<Real>& own) {
        for (int v = 0; v < variables; ++v) least[v] = most[v] = own.at[v];
    }
    WALE_HD void add(const primitives<Real>& other) {
        for (int v = 0; v < variables; ++v) {
            if (other.at[v] < least[v]) least[v] = other.at[v];
            if (other.at[v] > most[v]) most[v] = other.at[v];
        }
    }
};

/// The square of what a variable may swing by without being limited: (K h)^3 of Venkatakrishnan 1993, in the
/// free stream's units and with h in reference lengths, so that no choice of units matters.
template <class Real>
WALE_HD inline Real limiter_floor(Real volume, const constants<Real>& k) {
    const Real square = volume * k.inverse_length * k.inverse_length;
    return k.limiter_k3 * (k.flat ? square * std::sqrt(square) : square * k.inverse_length);
}

/// The part of a step from the cell's value to a face's that may be taken: `room` to the neighbours' extreme
/// on the same side.
template <class Real>
WALE_HD inline Real limited_part(euler_limiter limiter, Real step, Real room, Real floor) {
    if (limiter == euler_limiter::barth_jespersen) {
        const Real part = room / step;  // Barth, Jespersen 1989
        return part < 1 ? part : Real(1);
    }
    const Real base = room * room + step * room + floor;
    const Real part = (base + step * room) / (base + 2 * (step * step));
    return part < 1 ? part : Real(1);
}

/// How a value changes along x.
template <class Real>
WALE_HD inline Real along(const Real* slope, const Real* x) {
    return slope[0] * x[0] + slope[1] * x[1] + slope[2] * x[2];
}

/// Shortens a cell's gradients until its faces' centres stay within (or, Venkatakrishnan's, near) `range`.
template <class Real, class Grid>
WALE_HD inline void limit(gradient_of<Real>& g, const Grid& grid, index_t cell, const primitives<Real>& own,
                          const value_range<Real>& range, const constants<Real>& k) {
    Real part[variables];
    for (int v = 0; v < variables; ++v) part[v] = 1;
    const Real floor = limiter_floor(grid.volume(cell), k);
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        Real x[3];
        grid.offset(row, x);
        for (int v = 0; v < variables; ++v) {
            const Real step = along(g.at[v], x);
            if (step == 0) continue;
            const Real room = (step > 0 ? range.most[v] : range.least[v]) - own.at[v];
            const Real p = limited_part(k.limiter, step, room, floor * k.unit_squares[v]);
            if (p < part[v]) part[v] = p;
        }
    }
    for (int v = 0; v < variables; ++v)
        for (int d = 0; d < 3; ++d) g.at[v][d] *= part[v];
}

/// limit() by Barth and Jespersen's bound as Newton's method takes it: with limit() steady flows never come to
/// rest, since at an extreme the part that may be taken jumps with the least change. min(1, y) is rounded off
/// by a polynomial (Michalak, Ollivier-Gooch 2009), the range is wider by 3% of the free stream's density,
/// sound speed and pressure, and all variables take the least of their parts.
template <class Real, class Grid>
WALE_HD inline void limit_roundly(gradient_of<Real>& g, const Grid& grid, index_t cell,
                                  const primitives<Real>& own, const value_range<Real>& range,
                                  const constants<Real>& k) {
    constexpr Real full = Real(1.5), wider = Real(0.03);
    Real part = 1;
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        Real x[3];
        grid.offset(row, x);
        for (int v = 0; v < variables; ++v) {
            const Real step = along(g.at[v], x), size = size_of(step);
            const Real room = (step > 0 ? range.most[v] - own.at[v] : own.at[v] - range.least[v]) +
                              wider * root_of(k.unit_squares[v]);
            if (!(room < full * size)) continue;
            const Real y = room / size, p = y * (1 - Real(4.0 / 27) * (y * y));
            if (p < part) part = p;
        }
    }
    for (auto& slope : g.at)
        for (Real& d : slope) d *= part;
}

/// What lies behind a face of a cell: values, and where they are from its centroid.
template <class Real, class Grid, class States>
WALE_HD inline ghost<Real> behind(const Grid& grid, const States& states, const gas_point<Real>& own,
                                  index_t row, const constants<Real>& k) {
    Real x[3];
    grid.offset(row, x);
    const std::int32_t other = grid.neighbour(row);
    if (is_patch(other)) {
        Real n[3];
        grid.normal(row, n);
        return ghost_of(grid.kinds[patch_of(other)], own, grid.said[patch_of(other)], n, x, k);
    }
    Real back[3];
    grid.offset(grid.opposite(row), back);
    return {true, primitives_of(states.point(other, k)), {x[0] - back[0], x[1] - back[1], x[2] - back[2]}};
}

/// Whether a cell's gradient asks its neighbours' neighbours too. With four neighbours alone tetrahedra are
/// unstable (Haider, Croisille, Courbet 2009); prisms and hexahedra are not. Triangles are where they are
/// stretched: Newton's method, and the smooth limiter, which is there for steady flows, ask further for them.
template <class Real>
[[nodiscard]] WALE_HD inline bool looks_further(index_t faces, const constants<Real>& k) {
    return k.flat ? k.wide && faces == 3 : faces == 4;
}

/// The limited gradient of a cell; Round: by limit_roundly().
template <bool Round = false, class Real, class Grid, class States>
WALE_HD inline gradient_of<Real> cell_gradient(const Grid& grid, const States& states, index_t cell,
                                               const constants<Real>& k) {
    const gas_point<Real> point = states.point(cell, k);
    const primitives<Real> own = primitives_of(point);
    const bool further = looks_further(grid.end(cell) - grid.begin(cell), k);
    normal_equations<Real> equations;
    value_range<Real> range(own);
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        const ghost<Real> near = behind(grid, states, point, row, k);
        if (!near.seen) continue;
        equations.add(near.at, own, near.values);
        range.add(near.values);
        const std::int32_t other = grid.neighbour(row);
        if (!further || is_patch(other)) continue;
        const gas_point<Real> next = states.point(other, k);
        for (index_t r = grid.begin(other); r < grid.end(other); ++r) {
            if (r == grid.opposite(row)) continue;
            ghost<Real> there = behind(grid, states, next, r, k);
            if (!there.seen) continue;
            for (int i = 0; i < 3; ++i) there.at[i] += near.at[i];
            equations.add(there.at, own, there.values);
            if constexpr (Round) range.add(there.values);
        }
    }
    gradient_of<Real> g = equations.solved();
    if constexpr (Round)
        limit_roundly(g, grid, cell, own, range, k);
    else if (k.limiter != euler_limiter::none)
        limit(g, grid, cell, own, range, k);
    return g;
}

/// The smooth limiter: a cell's gradients times 1 / (1 + (s / 0.1)^4), where s^2 sums, over the faces, the
/// squares of the parts by which density and pressure change from the cell's centre to the face's. It has
/// neither extremes nor branches, so that its derivative is continuous and a steady flow comes to rest; no
/// part of it depends on the size of the cells.
template <class Real, class Grid>
WALE_HD inline void shorten_smoothly(gradient_of<Real>& g, const Grid& grid, index_t cell,
                                     const gas_point<Real>& own) {
    constexpr Real threshold = Real(0.01);  // of s^2
    Real square = 0;
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        Real x[3];
        grid.offset(row, x);
        const Real density = along(g.at[0], x) / own.rho, pressure = along(g.at[4], x) / own.p;
        square += density * density + pressure * pressure;
    }
    const Real excess = square / threshold;
    const Real part = Real(1) / (Real(1) + excess * excess);
    for (auto& slope : g.at)
        for (Real& d : slope) d *= part;
}

/// cell_gradient() with each limiter.
template <class Real, class Grid, class States>
WALE_HD inline gradient_of<Real> scheme_gradient(const Grid& grid, const States& states, index_t cell,
                                                 const constants<Real>& k) {
    gradient_of<Real> g = cell_gradient(grid, states, cell, k);
    if (k.smooth) shorten_smoothly(g, grid, cell, states.point(cell, k));
    return g;
}

/// scheme_gradient(), and where time is newton with its form of each limiter.
template <class Real, class Grid, class States>
WALE_HD inline gradient_of<Real> steady_gradient(const Grid& grid, const States& states, index_t cell,
                                                 const constants<Real>& k) {
    if (k.wide && k.limiter == euler_limiter::barth_jespersen)
        return cell_gradient<true>(grid, states, cell, k);
    return scheme_gradient(grid, states, cell, k);
}

/// Whether a cell's density and pressure are still those of a gas at x from its centroid.
template <class Real>
WALE_HD inline bool is_gas_at(const gas_point<Real>& own, const gradient_of<Real>& slope, const Real* x) {
    return own.rho + along(slope.at[0], x) > 0 && own.p + along(slope.at[4], x) > 0;
}

/// A cell's state carried to x from its centroid; unchanged where that would be no gas.
template <class Real>
WALE_HD inline gas_point<Real> carried_to(const gas_point<Real>& own, const gradient_of<Real>& slope,
                                          const Real* x, const constants<Real>& k) {
    if (!is_gas_at(own, slope, x)) return own;
    return point_from(own.rho + along(slope.at[0], x), own.u + along(slope.at[1], x),
                      own.v + along(slope.at[2], x), own.w + along(slope.at[3], x),
                      own.p + along(slope.at[4], x), k);
}
/// The pressure of carried_to().
template <class Real>
WALE_HD inline Real pressure_at(const gas_point<Real>& own, const gradient_of<Real>& slope, const Real* x) {
    return is_gas_at(own, slope, x) ? own.p + along(slope.at[4], x) : own.p;
}

}  // namespace wale::euler
