// shocks - against carbuncles: near a strong shock the fluxes that keep contacts exactly, hllc and roe, let
// the shock buckle (Quirk 1994), so there they turn to hlle, which spreads contacts.
#pragma once

#include "solvers/euler/advance/fluxes.hpp"

namespace wale::euler {

/// Whether a flux keeps a resting contact exactly.
[[nodiscard]] constexpr bool keeps_contacts(euler_flux f) {
    return f == euler_flux::hllc || f == euler_flux::roe;
}

/// Whether a case asks each cell how near a strong shock is. A normal shock at Mach 2.5 raises the pressure
/// seven times; carbuncles were seen at Mach 6, and at Mach 3 not yet.
[[nodiscard]] inline bool blends_shocks(const euler_options& o) {
    constexpr double strong = 2.5;  // Mach number
    return keeps_contacts(o.scheme.flux) &&
           (o.scheme.shocks == euler_shocks::blended ||
            (o.scheme.shocks == euler_shocks::automatic && o.stream.mach >= strong));
}

/// Why a row without shock_part() refuses such a case.
inline constexpr const char* no_blending = "does not blend strong shocks (scheme.shocks = plain leaves them)";

/// Harten, Lax, van Leer 1983 with the waves of Einfeldt 1988: one mean state between the outer waves, which
/// are those of hllc_flux().
template <class Real>
WALE_HD inline flux_of<Real> hlle_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n) {
    const facing<Real> face = facing_of(n);
    const Real ql = through(l, face.at), qr = through(r, face.at);
    const roe_weights<Real> w(l, r);
    const Real jump = qr - ql, q = w.mean(ql, qr);
    const Real c = root_of(w.mean(l.c * l.c, r.c * r.c) + Real(0.5) * (w.l * w.r) * (jump * jump));
    const Real sl = ql - l.c < q - c ? ql - l.c : q - c;
    const Real sr = qr + r.c > q + c ? qr + r.c : q + c;
    if (sl >= 0) return physical_flux(l, n);
    if (sr <= 0) return physical_flux(r, n);
    const Real left[variables] = {l.rho, l.rho * l.u, l.rho * l.v, l.rho * l.w, l.energy};
    const Real right[variables] = {r.rho, r.rho * r.u, r.rho * r.v, r.rho * r.w, r.energy};
    const flux_of<Real> a = physical_flux(l, n), b = physical_flux(r, n);
    const Real spread = sl * sr * face.area, inverse = Real(1) / (sr - sl);
    flux_of<Real> f;
    for (int v = 0; v < variables; ++v)
        f.at[v] = ((sr * a.at[v] - sl * b.at[v]) + spread * (right[v] - left[v])) * inverse;
    return f;
}

/// How near a strong shock a cell is, from 0 to 1: by the largest jump of pressure to a neighbour, over the
/// lower of both. Below a half the flux is the scheme's, from 1 on it is hlle_flux().
template <class Real, class Grid, class States>
WALE_HD inline Real shock_part(const Grid& grid, const States& states, index_t cell,
                               const constants<Real>& k) {
    const Real own = states.point(cell, k).p;
    Real most = 0;
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        const std::int32_t other = grid.neighbour(row);
        if (is_patch(other)) continue;
        const Real p = states.point(other, k).p;
        const Real jump = own < p ? (p - own) / own : (own - p) / p;
        if (jump > most) most = jump;
    }
    const Real part = 2 * most - Real(1);
    return part > 0 ? (part < 1 ? part : Real(1)) : Real(0);
}

/// Of all cells, one after the other.
template <class Real>
struct plain_shocks {
    const Real* all = nullptr;  // [cells] of shock_part()
    /// Of a face: that of the cell nearer to a shock, so that the faces across a shock's front turn, too.
    [[nodiscard]] WALE_HD Real at(index_t cell, index_t other) const {
        return all[cell] > all[other] ? all[cell] : all[other];
    }
};
/// Most cases ask for none.
struct no_shocks {};

/// face_flux(), and the nearer a shock is the more of hlle_flux().
template <euler_flux Flux, class Real>
WALE_HD inline flux_of<Real> blended_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n,
                                          const constants<Real>& k, Real part) {
    flux_of<Real> f = face_flux<Flux>(l, r, n, k);
    if (!(part > 0)) return f;
    const flux_of<Real> spread = hlle_flux(l, r, n);
    for (int v = 0; v < variables; ++v) f.at[v] += part * (spread.at[v] - f.at[v]);
    return f;
}

}  // namespace wale::euler
