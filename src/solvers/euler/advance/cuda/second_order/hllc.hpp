// hllc - hllc_flux() of fluxes.hpp without branches: threads side by side would take all of them. A side that
// all waves leave behind is a star region whose speed and pressure are the side's own. The densities' roots
// are asked for as one root of their ratio; five quotients and four roots are left of seven and six.
#pragma once

#include "solvers/euler/advance/cuda/second_order/layout.hpp"
#include "solvers/euler/advance/shared/fused/compact.hpp"

namespace wale::euler::second_order {

/// Through a face, from its left to its right.
template <class Real>
WALE_HD inline flux_of<Real> hllc_of(const primitives<Real>& left, const primitives<Real>& right,
                                     const face_area<Real>& area, Real gamma, Real inverse_gamma_1) {
    const Real half = Real(0.5), one = 1;
    const Real* const l = left.at;
    const Real* const r = right.at;
    const Real* const n = area.at;
    const Real over_l = near_inverse(l[0]), over_r = near_inverse(r[0]);
    const Real ccl = gamma * l[4] * over_l, ccr = gamma * r[4] * over_r;
    const Real ql = dot(n, l + 1), qr = dot(n, r + 1);
    const Real ratio = near_root(r[0] * over_l);
    const Real wl = near_inverse(one + ratio), wr = ratio * wl;
    const Real jump = qr - ql;
    const Real q = std::fma(wr, jump, ql);
    const Real c = near_root(std::fma(half * (wl * wr), jump * jump, std::fma(wl, ccl, wr * ccr)));
    const Real out = ql - near_root(ccl), in = qr + near_root(ccr);
    const Real sl = out < q - c ? out : q - c;
    const Real sr = in > q + c ? in : q + c;
    const Real ml = l[0] * (sl - ql), mr = r[0] * (sr - qr);
    const Real speed = (std::fma(ml, ql, -(mr * qr)) + (r[4] - l[4])) * near_inverse(ml - mr);
    const Real pressure = half * (std::fma(ml, speed - ql, l[4]) + std::fma(mr, speed - qr, r[4]));
    const bool all_right = sl >= 0, all_left = !all_right && sr <= 0;
    const bool from_left = all_right || (!all_left && speed >= 0);
    Real g[variables];
    for (int v = 0; v < variables; ++v) g[v] = from_left ? l[v] : r[v];
    const Real s = from_left ? sl : sr, qg = from_left ? ql : qr;
    const bool outside = all_right || all_left;
    const Real star = outside ? qg : speed, p = outside ? g[4] : pressure;
    const Real energy = std::fma(g[4], inverse_gamma_1, half * g[0] * dot(g + 1, g + 1));
    const Real carried = star * near_inverse(s - star) * n[3];
    const Real before = s - qg;
    const Real mass = g[0] * before * carried;
    const Real push = std::fma(p - g[4], carried, p * n[3]);
    return {{mass, std::fma(mass, g[1], push * n[0]), std::fma(mass, g[2], push * n[1]),
             std::fma(mass, g[3], push * n[2]),
             std::fma(std::fma(before, energy, std::fma(p, star, -(g[4] * qg))), carried, p * star * n[3])}};
}

}  // namespace wale::euler::second_order
