// published - the constants of the published case as compile-time values, for kernels that have them compiled
// in.
#pragma once

#include <cmath>
#include <string>

#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

/// The published case: Mach 1.2 along x.
template <class Real>
[[nodiscard]] WALE_HD constexpr constants<Real> published_constants() {
    constants<Real> k;
    k.gamma = Real(1.4);
    k.gamma_1 = Real(1.4 - 1);
    k.cfl = Real(0.5);
    k.dissipation = Real(0.2);
    k.far = {Real(1.4), Real(1.2), 0, 0, Real(1), Real(3.508), Real(1)};
    for (int s = 0; s < stages; ++s) k.from_old[s] = 1;
    k.from_flux[0] = Real(0.25);
    k.from_flux[1] = Real(1.0 / 3);
    k.from_flux[2] = Real(0.5);
    return k;
}

/// Whether a case's numbers are the published ones, as far as a kernel of the published scheme reads them.
template <class Real>
[[nodiscard]] bool are_published(const constants<Real>& k) {
    const constants<Real> p = published_constants<Real>();
    bool same =
        k.gamma == p.gamma && k.gamma_1 == p.gamma_1 && k.cfl == p.cfl && k.dissipation == p.dissipation;
    for (int s = 0; s < stages; ++s)
        same = same && k.from_old[s] == p.from_old[s] && k.from_now[s] == p.from_now[s] &&
               k.from_flux[s] == p.from_flux[s];
    const Real own[] = {k.far.rho, k.far.u, k.far.v, k.far.w, k.far.p, k.far.energy};
    const Real theirs[] = {p.far.rho, p.far.u, p.far.v, p.far.w, p.far.p, p.far.energy};
    for (int i = 0; i < 6; ++i) same = same && std::abs(own[i] - theirs[i]) <= Real(4e-7) * theirs[0];
    return same;
}

/// Why a case cannot have its constants compiled in; empty if it can, or does not ask.
[[nodiscard]] inline std::string why_not_compiled(const flow_system& system) {
    if (system.options.constants != euler_constants::compiled) return "";
    return are_published(constants_of<double>(system)) ? ""
                                                       : "has only the published constants compiled in: Mach "
                                                         "1.2 along x, gamma 1.4, CFL number 0.5";
}

}  // namespace wale::euler
