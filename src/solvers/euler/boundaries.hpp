// boundaries - what flows through a face of a patch, and what a gradient sees behind it.
#pragma once

#include "solvers/euler/fluxes.hpp"

namespace wale::euler {

/// Through a wall: pressure alone.
template <class Real>
WALE_HD inline flux_of<Real> wall_flux(const gas_point<Real>& g, const Real* n) {
    return {{Real(0), g.p * n[0], g.p * n[1], g.p * n[2], Real(0)}};
}

/// The state at the far field's face: each Riemann invariant from the side that its wave comes from, entropy
/// and tangential velocity from the side that the gas comes from. Where both come from one side, it is that
/// side's state to the bit; where they leave a vacuum between them, the side that the gas comes from.
template <class Real>
WALE_HD inline gas_point<Real> far_point(const gas_point<Real>& inside, const gas_point<Real>& far,
                                         const Real* n, const constants<Real>& k) {
    const facing<Real> face = facing_of(n);
    const Real qi = through(inside, face.at), qf = through(far, face.at);
    const bool out = qi + inside.c > 0, in = qf - far.c < 0;  // which waves arrive
    if (!out) return far;
    if (!in) return inside;
    const Real rise = 2 / k.gamma_1;
    const Real forth = qi + rise * inside.c, back = qf - rise * far.c;
    const Real q = Real(0.5) * (forth + back), c = (forth - back) / (2 * rise);
    const gas_point<Real>& from = q > 0 ? inside : far;
    if (!(c > 0)) return from;
    const Real faster = q - (q > 0 ? qi : qf);
    // Entropy: density as a power of the ratio of sound speeds, which has no unit.
    const Real rho = from.rho * std::pow(c / from.c, rise);
    return point_from(rho, from.u + faster * face.at[0], from.v + faster * face.at[1],
                      from.w + faster * face.at[2], rho * c * c / k.gamma, k);
}

/// Through a face of a patch; `said` is the state of an inflow.
template <euler_flux Flux, class Real>
WALE_HD inline flux_of<Real> boundary_flux(euler_boundary kind, const gas_point<Real>& g,
                                           const gas_point<Real>& said, const Real* n,
                                           const constants<Real>& k) {
    switch (kind) {
        case euler_boundary::far_field:
            if constexpr (Flux == euler_flux::rodinia) return central_flux(g, k.far, n, Real(0));
            return physical_flux(far_point(g, k.far, n, k), n);
        case euler_boundary::inflow:
            return physical_flux(said, n);
        case euler_boundary::outflow:
            return physical_flux(g, n);
        default:
            return wall_flux(g, n);
    }
}

/// What a cell's gradient sees behind a boundary face: values, and where they are from its centroid.
template <class Real>
struct ghost {
    bool seen = false;
    primitives<Real> values{};
    Real at[3]{};
};

/// Behind a plane of symmetry the mirror image; at inflow and far field the state of the face, at the face;
/// nothing behind an outflow or a wall, which may be curved: a mirror would have no pressure rise across it.
/// `x` is the face's centre from the cell's.
template <class Real>
WALE_HD inline ghost<Real> ghost_of(euler_boundary kind, const gas_point<Real>& g,
                                    const gas_point<Real>& said, const Real* n, const Real* x,
                                    const constants<Real>& k) {
    if (kind == euler_boundary::outflow || kind == euler_boundary::wall) return {};
    if (kind == euler_boundary::inflow) return {true, primitives_of(said), {x[0], x[1], x[2]}};
    if (kind == euler_boundary::far_field)
        return {true, primitives_of(far_point(g, k.far, n, k)), {x[0], x[1], x[2]}};
    const facing<Real> face = facing_of(n);
    const Real away = 2 * (x[0] * face.at[0] + x[1] * face.at[1] + x[2] * face.at[2]);
    const Real back = 2 * through(g, face.at);
    return {true,
            {{g.rho, g.u - back * face.at[0], g.v - back * face.at[1], g.w - back * face.at[2], g.p}},
            {away * face.at[0], away * face.at[1], away * face.at[2]}};
}

}  // namespace wale::euler
