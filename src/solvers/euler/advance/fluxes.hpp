// fluxes - through one face between two states. Area vectors point from l to r; every flux is exactly the
// negative of itself with the sides exchanged and the vector turned, so that what leaves a cell enters its
// neighbour to the last bit, and no power of two in the units changes a digit.
#pragma once

#include "solvers/euler/advance/problem.hpp"

namespace wale::euler {

/// An area vector's length and direction; no direction where the area is 0.
template <class Real>
struct facing {
    Real area;
    Real at[3];
};
template <class Real>
WALE_HD inline facing<Real> facing_of(const Real* n) {
    const Real area = length_of(n);
    const Real inverse = area > 0 ? Real(1) / area : Real(0);
    return {area, {n[0] * inverse, n[1] * inverse, n[2] * inverse}};
}
template <class Real>
WALE_HD inline Real through(const gas_point<Real>& g, const Real* n) {
    return g.u * n[0] + g.v * n[1] + g.w * n[2];
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
    const Real both = (speed(l) + l.c) + (speed(r) + r.c);
    return central_flux(l, r, n, length_of(n) * k.dissipation * Real(0.5) * both);
}

template <class Real>
WALE_HD inline flux_of<Real> rusanov_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n) {
    const Real area = length_of(n);
    const Real a = size_of(through(l, n)) + l.c * area;
    const Real b = size_of(through(r, n)) + r.c * area;
    return central_flux(l, r, n, Real(0.5) * (a > b ? a : b));
}

/// Roe's weights of two sides. Of their share of the density: the root of a density itself would round
/// otherwise when the unit of density is doubled.
template <class Real>
struct roe_weights {
    Real l, r;
    WALE_HD roe_weights(const gas_point<Real>& left, const gas_point<Real>& right) {
        const Real both = left.rho + right.rho;
        const Real a = root_of(left.rho / both), b = root_of(right.rho / both);
        const Real whole = a + b;
        l = a / whole;
        r = b / whole;
    }
    [[nodiscard]] WALE_HD Real mean(Real left, Real right) const { return l * left + r * right; }
};

/// What a star region's side carries a unit of area: side g, its wave s, its normal velocity q.
template <class Real>
WALE_HD inline flux_of<Real> star_flux(const gas_point<Real>& g, Real s, Real q, Real star, Real pressure,
                                       const facing<Real>& face) {
    const Real carried = star / (s - star);
    const Real mass = g.rho * (s - q) * carried;
    const Real push = (pressure - g.p) * carried + pressure;
    const Real area = face.area;
    return {{area * mass, area * (mass * g.u + push * face.at[0]), area * (mass * g.v + push * face.at[1]),
             area * (mass * g.w + push * face.at[2]),
             area * (((s - q) * g.energy - g.p * q + pressure * star) * carried + pressure * star)}};
}

/// Toro, Spruce, Speares 1994, as Batten and others 1997 write it; the outer waves by Einfeldt 1988, whose
/// mean sound speed is a sum of squares, so that no state of gas makes it imaginary.
template <class Real>
WALE_HD inline flux_of<Real> hllc_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n) {
    const facing<Real> face = facing_of(n);
    const Real ql = through(l, face.at), qr = through(r, face.at);
    const roe_weights<Real> w(l, r);
    const Real jump = qr - ql;
    const Real q = w.mean(ql, qr);
    const Real c = root_of(w.mean(l.c * l.c, r.c * r.c) + Real(0.5) * (w.l * w.r) * (jump * jump));
    const Real sl = ql - l.c < q - c ? ql - l.c : q - c;
    const Real sr = qr + r.c > q + c ? qr + r.c : q + c;
    if (sl >= 0) return physical_flux(l, n);
    if (sr <= 0) return physical_flux(r, n);
    const Real ml = l.rho * (sl - ql), mr = r.rho * (sr - qr);
    const Real star = (ml * ql - mr * qr + (r.p - l.p)) / (ml - mr);
    const Real pressure = Real(0.5) * ((l.p + ml * (star - ql)) + (r.p + mr * (star - qr)));
    return star >= 0 ? star_flux(l, sl, ql, star, pressure, face)
                     : star_flux(r, sr, qr, star, pressure, face);
}

/// |wave|, rounded off below `width` so that it never vanishes (Harten 1983).
template <class Real>
WALE_HD inline Real fixed_wave(Real wave, Real width) {
    const Real size = size_of(wave);
    return size < width ? Real(0.5) * (wave * wave / width + width) : size;
}

/// Roe 1981: two sound waves, and one for the contact and both shears.
template <class Real>
WALE_HD inline flux_of<Real> roe_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n,
                                      const constants<Real>& k) {
    const facing<Real> face = facing_of(n);
    const roe_weights<Real> w(l, r);
    const Real v[3] = {w.mean(l.u, r.u), w.mean(l.v, r.v), w.mean(l.w, r.w)};
    const Real dv[3] = {r.u - l.u, r.v - l.v, r.w - l.w};
    const Real dp = r.p - l.p, drho = r.rho - l.rho;
    const Real rho = root_of(l.rho * r.rho);
    const Real enthalpy = w.mean((l.energy + l.p) / l.rho, (r.energy + r.p) / r.rho);
    // (gamma - 1) (H - v^2 / 2) without its cancellation: a sum of squares.
    const Real cc = w.mean(l.c * l.c, r.c * r.c) +
                    Real(0.5) * k.gamma_1 * (w.l * w.r) * (dv[0] * dv[0] + dv[1] * dv[1] + dv[2] * dv[2]);
    const Real c = root_of(cc);
    const Real q = v[0] * face.at[0] + v[1] * face.at[1] + v[2] * face.at[2];
    const Real dq = dv[0] * face.at[0] + dv[1] * face.at[1] + dv[2] * face.at[2];
    const Real width = k.entropy_fix * (size_of(q) + c);
    const Real still = fixed_wave(q, width);
    const Real back = fixed_wave(q - c, width) * (dp - rho * c * dq) / (2 * cc);
    const Real forth = fixed_wave(q + c, width) * (dp + rho * c * dq) / (2 * cc);
    const Real contact = still * (drho - dp / cc);
    const Real shear = still * rho;
    const Real both = back + forth, mass = both + contact, sound = c * (forth - back);
    const Real vdv = v[0] * dv[0] + v[1] * dv[1] + v[2] * dv[2];
    const Real vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const Real waves[variables] = {
        mass, mass * v[0] + (sound * face.at[0] + shear * (dv[0] - dq * face.at[0])),
        mass * v[1] + (sound * face.at[1] + shear * (dv[1] - dq * face.at[1])),
        mass * v[2] + (sound * face.at[2] + shear * (dv[2] - dq * face.at[2])),
        both * enthalpy + contact * (Real(0.5) * vv) + (sound * q + shear * (vdv - q * dq))};
    flux_of<Real> f = central_flux(l, r, n, Real(0));
    for (int i = 0; i < variables; ++i) f.at[i] -= Real(0.5) * face.area * waves[i];
    return f;
}

/// Through a face between l (inside) and r.
template <euler_flux Flux, class Real>
WALE_HD inline flux_of<Real> face_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n,
                                       const constants<Real>& k) {
    if constexpr (Flux == euler_flux::rodinia || Flux == euler_flux::central)
        return scalar_flux(l, r, n, k);
    else if constexpr (Flux == euler_flux::rusanov)
        return rusanov_flux(l, r, n);
    else if constexpr (Flux == euler_flux::hllc)
        return hllc_flux(l, r, n);
    else
        return roe_flux(l, r, n, k);
}

}  // namespace wale::euler
