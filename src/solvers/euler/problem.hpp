// problem - the numerics of one point, one face and one boundary face: what all backends share, host and
// device. No loops over the domain. Area vectors point outward; fluxes leave the cell.
#pragma once

#include <cmath>
#include <wale/euler.hpp>

#include "base/host_device.hpp"

namespace wale::euler {

inline constexpr int variables = 5;
inline constexpr int stages = 3;

/// A state with what fluxes ask of it.
template <class Real>
struct gas_point {
    Real rho, u, v, w, p;  // primitive
    Real energy;           // rho E, a unit of volume
    Real c;                // speed of sound
};

/// What a scheme is made of; a kernel takes it by value.
template <class Real>
struct constants {
    Real gamma = 0, gamma_1 = 0;  // ratio of specific heats, and less 1
    gas_point<Real> far{};
    Real dissipation = 0;
    Real cfl = 0;
    Real fixed_step = 0;                                               // > 0: of time
    Real limiter_k3 = 0;                                               // Venkatakrishnan's K, cubed
    Real entropy_fix = 0;                                              // Harten's, in parts of |v.n| + c
    Real from_old[stages]{}, from_now[stages]{}, from_flux[stages]{};  // new = old a + now b + step flux c
};

template <class Real>
struct flux_of {
    Real at[variables];  // mass, momentum, energy; a second
};

template <class Real>
WALE_HD inline gas_point<Real> point_of(const Real* s, const constants<Real>& k) {
    gas_point<Real> g;
    const Real inverse = Real(1) / s[0];
    g.rho = s[0];
    g.u = s[1] * inverse;
    g.v = s[2] * inverse;
    g.w = s[3] * inverse;
    g.energy = s[4];
    g.p = k.gamma_1 * (s[4] - Real(0.5) * s[0] * (g.u * g.u + g.v * g.v + g.w * g.w));
    g.c = std::sqrt(k.gamma * g.p * inverse);
    return g;
}

/// From density, velocity and pressure.
template <class Real>
WALE_HD inline gas_point<Real> point_from(Real rho, Real u, Real v, Real w, Real p,
                                          const constants<Real>& k) {
    return {rho,
            u,
            v,
            w,
            p,
            p / k.gamma_1 + Real(0.5) * rho * (u * u + v * v + w * w),
            std::sqrt(k.gamma * p / rho)};
}

template <class Real>
WALE_HD inline Real speed(const gas_point<Real>& g) {
    return std::sqrt(g.u * g.u + g.v * g.v + g.w * g.w);
}

/// The flux of the gas through area vector n.
template <class Real>
WALE_HD inline flux_of<Real> physical_flux(const gas_point<Real>& g, const Real* n) {
    const Real through = g.u * n[0] + g.v * n[1] + g.w * n[2];
    const Real mass = g.rho * through;
    return {{mass, mass * g.u + g.p * n[0], mass * g.v + g.p * n[1], mass * g.w + g.p * n[2],
             (g.energy + g.p) * through}};
}

template <class Real>
WALE_HD inline Real length_of(const Real* n) {
    return std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/// The mean of both sides' fluxes less `spread` times the difference of the states.
template <class Real>
WALE_HD inline flux_of<Real> central_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n,
                                          Real spread) {
    const flux_of<Real> a = physical_flux(l, n);
    const flux_of<Real> b = physical_flux(r, n);
    const Real half = Real(0.5);
    return {{half * (a.at[0] + b.at[0]) + spread * (l.rho - r.rho),
             half * (a.at[1] + b.at[1]) + spread * (l.rho * l.u - r.rho * r.u),
             half * (a.at[2] + b.at[2]) + spread * (l.rho * l.v - r.rho * r.v),
             half * (a.at[3] + b.at[3]) + spread * (l.rho * l.w - r.rho * r.w),
             half * (a.at[4] + b.at[4]) + spread * (l.energy - r.energy)}};
}

/// Rodinia's: dissipation by the mean of |v| + c (not |v.n|) of both sides.
template <class Real>
WALE_HD inline flux_of<Real> scalar_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n,
                                         const constants<Real>& k) {
    const Real both = speed(l) + l.c + speed(r) + r.c;
    return central_flux(l, r, n, length_of(n) * k.dissipation * Real(0.5) * both);
}

template <class Real>
WALE_HD inline flux_of<Real> rusanov_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n) {
    const Real area = length_of(n);
    const Real a = std::fabs(l.u * n[0] + l.v * n[1] + l.w * n[2]) + l.c * area;
    const Real b = std::fabs(r.u * n[0] + r.v * n[1] + r.w * n[2]) + r.c * area;
    return central_flux(l, r, n, Real(0.5) * (a > b ? a : b));
}

/// Through a face between l (inside) and r.
template <euler_flux Flux, class Real>
WALE_HD inline flux_of<Real> face_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n,
                                       const constants<Real>& k) {
    if constexpr (Flux == euler_flux::rodinia || Flux == euler_flux::central)
        return scalar_flux(l, r, n, k);
    else
        return rusanov_flux(l, r, n);
}

/// Through a wall: pressure alone.
template <class Real>
WALE_HD inline flux_of<Real> wall_flux(const gas_point<Real>& g, const Real* n) {
    return {{Real(0), g.p * n[0], g.p * n[1], g.p * n[2], Real(0)}};
}

/// Through a face of a patch; `said` is the state of an inflow.
template <euler_flux Flux, class Real>
WALE_HD inline flux_of<Real> boundary_flux(euler_boundary kind, const gas_point<Real>& g,
                                           const gas_point<Real>& said, const Real* n,
                                           const constants<Real>& k) {
    switch (kind) {
        case euler_boundary::far_field:
            if constexpr (Flux == euler_flux::rodinia) return central_flux(g, k.far, n, Real(0));
            return face_flux<Flux>(g, k.far, n, k);
        case euler_boundary::inflow:
            return physical_flux(said, n);
        case euler_boundary::outflow:
            return physical_flux(g, n);
        default:
            return wall_flux(g, n);
    }
}

}  // namespace wale::euler
