// problem - the gas at one point, and the numbers of a scheme: what all backends share, host and device.
// Fluxes are in fluxes.hpp and boundaries.hpp, second order in gradient.hpp, cells in cell.hpp.
#pragma once

#include <cmath>
#include <wale/euler.hpp>

#include "base/host_device.hpp"

namespace wale::euler {

inline constexpr int variables = 5;
inline constexpr int stages = 3;

/// A kernel may compute fluxes in a number type of its own, whose roots are found by these names.
WALE_HD inline float root_of(float x) {
    return std::sqrt(x);
}
WALE_HD inline double root_of(double x) {
    return std::sqrt(x);
}
WALE_HD inline float size_of(float x) {
    return std::fabs(x);
}
WALE_HD inline double size_of(double x) {
    return std::fabs(x);
}

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
    Real fixed_step = 0;  // > 0: of time
    euler_limiter limiter = euler_limiter::none;
    bool flat = false;               // the mesh is 2-D
    bool smooth = false;             // the smooth limiter; `limiter` is none then
    bool wide = false;               // triangles ask their neighbours' neighbours too
    Real limiter_k3 = 0;             // Venkatakrishnan's K, cubed
    Real inverse_length = 0;         // 1 / reference length: cells are small or large beside it
    Real unit_squares[variables]{};  // of the free stream's density, sound speed (thrice), pressure
    Real entropy_fix = 0;            // Harten's, in parts of |v.n| + c
    Real smoothing_factor = 0;
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
    return root_of(g.u * g.u + g.v * g.v + g.w * g.w);
}

/// Density, velocity, pressure: what is reconstructed.
template <class Real>
struct primitives {
    Real at[variables];
};
template <class Real>
WALE_HD inline primitives<Real> primitives_of(const gas_point<Real>& g) {
    return {{g.rho, g.u, g.v, g.w, g.p}};
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
    return root_of(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

}  // namespace wale::euler
