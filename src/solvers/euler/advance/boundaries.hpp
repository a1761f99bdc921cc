// boundaries - what flows through a face of a patch, and what a gradient sees behind it.
#pragma once

#include "solvers/euler/advance/fluxes.hpp"

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

/// The state at a face through which gas comes in from rest. `rest` has density, pressure and sound speed of
/// the gas at rest; its velocity is as large as that sound speed and has the direction in which gas comes in.
/// The invariant v.n + 2 c / (gamma - 1) is the inner gas's, the total enthalpy c^2 + (gamma - 1) / 2 v^2
/// that of `rest`: a quadratic equation for the speed v, which is kept between rest and the speed of sound.
template <class Real>
WALE_HD inline gas_point<Real> inlet_point(const gas_point<Real>& inside, const gas_point<Real>& rest,
                                           const Real* n, const constants<Real>& k) {
    const facing<Real> face = facing_of(n);
    const Real a = Real(0.5) * k.gamma_1, inverse = Real(1) / rest.c, square = rest.c * rest.c;
    const Real cosine = -through(rest, face.at) * inverse;
    const Real forth = through(inside, face.at) + inside.c / a;
    const Real root = square * (cosine * cosine + Real(1) / a) - a * forth * forth;
    const Real most = rest.c / std::sqrt(Real(1) + a);
    Real v = ((root > 0 ? std::sqrt(root) : Real(0)) - a * cosine * forth) / (a * cosine * cosine + Real(1));
    v = v > 0 ? (v < most ? v : most) : Real(0);
    const Real left = Real(1) - a * v * v / square, part = v * inverse;  // left: of the square of c
    const Real rho = rest.rho * std::pow(left, Real(1) / k.gamma_1);
    return point_from(rho, rest.u * part, rest.v * part, rest.w * part, rho * left * square / k.gamma, k);
}

/// The state at a face behind which the pressure is that of `said`: entropy, tangential velocity and the
/// invariant v.n + 2 c / (gamma - 1) are the inner gas's. Gas that would leave faster than sound leaves at
/// the speed of sound, with more pressure. None comes in: where it would, the face is a wall with the
/// pressure of the wave that stops the gas; the pressure said would draw gas in that nothing replaces, down
/// to vacuum. Gas that is faster inside stays as it is.
template <class Real>
WALE_HD inline gas_point<Real> outlet_point(const gas_point<Real>& inside, const gas_point<Real>& said,
                                            const Real* n, const constants<Real>& k) {
    const facing<Real> face = facing_of(n);
    const Real q = through(inside, face.at), rise = 2 / k.gamma_1;
    if (!(q < inside.c)) return inside;
    const Real sonic = (k.gamma_1 * q + 2 * inside.c) / (k.gamma + 1);
    const Real slow = inside.c + q / rise, still = slow > inside.c / 16 ? slow : inside.c / 16;
    Real c = inside.c * std::pow(said.p / inside.p, Real(0.5) * k.gamma_1 / k.gamma);
    const bool choked = c < sonic, stopped = still < c;
    if (choked) c = sonic;
    if (stopped) c = still;
    const Real faster = stopped ? -q : rise * (inside.c - c);
    const Real rho = inside.rho * std::pow(c / inside.c, rise);
    return point_from(rho, inside.u + faster * face.at[0], inside.v + faster * face.at[1],
                      inside.w + faster * face.at[2], choked || stopped ? rho * c * c / k.gamma : said.p, k);
}

/// The state at a face through which gas comes in from rest with a mass flux said: `rest` is as for
/// inlet_point(), and its density times its speed is the mass that a unit of area across the direction takes
/// a second. The pressure is the inner gas's, so that p v / T = m and T = T0 - (gamma - 1) / (2 gamma) v^2: a
/// quadratic equation for the speed. No faster than sound: then the pressure is what the mass flux asks for.
/// A call of its own: inside of slow_end_point() it took Roe's kernel of first order from 128 registers to
/// 132.
template <class Real>
WALE_HD_CALL gas_point<Real> mass_inlet_point(const gas_point<Real>& inside, const gas_point<Real>& rest,
                                              const constants<Real>& k) {
    const Real a = Real(0.5) * k.gamma_1, heat = rest.c * rest.c / k.gamma, mass = rest.rho * rest.c;
    const Real most = rest.c / std::sqrt(Real(1) + a), cooled = a / k.gamma;
    const Real root = std::sqrt(inside.p * inside.p + 4 * (mass * mass) * (cooled * heat));
    Real v = 2 * mass * heat / (inside.p + root);
    if (!(v < most)) v = most;
    const Real rho = mass / v, part = v / rest.c;
    return point_from(rho, rest.u * part, rest.v * part, rest.w * part, rho * (heat - cooled * (v * v)), k);
}

/// What the ends of slow flow ask of a face and of the scheme.
template <class Real>
struct face_and_gas {
    Real normal[3];
    Real gamma, gamma_1;
};

/// inlet_point(), mass_inlet_point(), outlet_point() or far_point() of what is said. A call, with values: few
/// faces need it, and inlined its powers would take registers from all faces.
template <class Real>
WALE_HD_CALL gas_point<Real> slow_end_point(euler_boundary kind, gas_point<Real> inside, gas_point<Real> said,
                                            face_and_gas<Real> at) {
    constants<Real> k;
    k.gamma = at.gamma;
    k.gamma_1 = at.gamma_1;
    if (kind == euler_boundary::vortex_far_field) return far_point(inside, said, at.normal, k);
    if (kind == euler_boundary::pressure_outlet) return outlet_point(inside, said, at.normal, k);
    return kind == euler_boundary::mass_inlet ? mass_inlet_point(inside, said, k)
                                              : inlet_point(inside, said, at.normal, k);
}

/// The state at a face that gas passes; `said` is what its patch says.
template <class Real>
WALE_HD inline gas_point<Real> open_point(euler_boundary kind, const gas_point<Real>& g,
                                          const gas_point<Real>& said, const Real* n,
                                          const constants<Real>& k) {
    switch (kind) {
        case euler_boundary::far_field:
            return far_point(g, k.far, n, k);
        case euler_boundary::inflow:
            return said;
        case euler_boundary::pressure_inlet:
        case euler_boundary::pressure_outlet:
        case euler_boundary::mass_inlet:
        case euler_boundary::vortex_far_field:
            return slow_end_point(kind, g, said, face_and_gas<Real>{{n[0], n[1], n[2]}, k.gamma, k.gamma_1});
        default:
            return g;
    }
}

/// The inner state at a face of a patch: `near`, which the gradient carried there, but for an outflow that no
/// gas leaves faster than sound. There a wave comes in of which nothing is known: carried by the gradient it
/// would be differenced against its direction and grow, from rounding even in gas at rest.
template <class Real>
WALE_HD inline const gas_point<Real>& inner_point(euler_boundary kind, const gas_point<Real>& own,
                                                  const gas_point<Real>& near, const Real* n) {
    const bool blind = kind == euler_boundary::outflow && !(through(near, n) > near.c * length_of(n));
    return blind ? own : near;
}

/// Through a face of a patch.
template <euler_flux Flux, class Real>
WALE_HD inline flux_of<Real> boundary_flux(euler_boundary kind, const gas_point<Real>& g,
                                           const gas_point<Real>& said, const Real* n,
                                           const constants<Real>& k) {
    if (kind == euler_boundary::wall || kind == euler_boundary::symmetry) return wall_flux(g, n);
    if constexpr (Flux == euler_flux::rodinia) {  // has no pressure ends
        if (kind == euler_boundary::far_field) return central_flux(g, k.far, n, Real(0));
        return physical_flux(kind == euler_boundary::inflow ? said : g, n);
    }
    return physical_flux(open_point(kind, g, said, n, k), n);
}

/// What a cell's gradient sees behind a boundary face: values, and where they are from its centroid.
template <class Real>
struct ghost {
    bool seen = false;
    primitives<Real> values{};
    Real at[3]{};
};

/// Whether a gradient sees something behind a face of a patch.
[[nodiscard]] WALE_HD constexpr bool is_seen(euler_boundary kind) {
    return kind != euler_boundary::outflow && kind != euler_boundary::wall;
}

/// Behind a plane of symmetry the mirror image; nothing behind an outflow or a wall, which may be curved: a
/// mirror would have no pressure rise across it; at all other patches the state of the face, at the face. `x`
/// is the face's centre from the cell's.
template <class Real>
WALE_HD inline ghost<Real> ghost_of(euler_boundary kind, const gas_point<Real>& g,
                                    const gas_point<Real>& said, const Real* n, const Real* x,
                                    const constants<Real>& k) {
    if (!is_seen(kind)) return {};
    if (kind != euler_boundary::symmetry)
        return {true, primitives_of(open_point(kind, g, said, n, k)), {x[0], x[1], x[2]}};
    const facing<Real> face = facing_of(n);
    const Real away = 2 * (x[0] * face.at[0] + x[1] * face.at[1] + x[2] * face.at[2]);
    const Real back = 2 * through(g, face.at);
    return {true,
            {{g.rho, g.u - back * face.at[0], g.v - back * face.at[1], g.w - back * face.at[2], g.p}},
            {away * face.at[0], away * face.at[1], away * face.at[2]}};
}

}  // namespace wale::euler
