// newton_rule - what a cycle of Newton's method does, from the residual alone.
#pragma once

#include <algorithm>
#include <wale/euler.hpp>

namespace wale::euler {

/// How far a cycle may go, which depends on how well its linear systems are solved.
struct newton_bounds {
    static constexpr double none = 1e300;
    double cfl = 300;
    double growth = 1.5;  // of the residual
};
/// With sweeps by colours. A bound of growth holds back flows whose shocks move: shells of tetrahedra at Mach
/// 0.84 stand still at two decades with it, and come to rest without.
inline constexpr newton_bounds coloured_bounds{1000, newton_bounds::none};

/// What a cycle does at a residual, beside that of the free stream: it has no memory, so that runs may be cut
/// anywhere.
struct newton_rule {
    static constexpr int most_directions = 60;
    double cfl;         // grows as the residual falls (switched evolution relaxation: Mulder, van Leer 1985)
    bool second;        // whether the linear system is that of second order
    int directions;     // of Krylov's, at most
    double fall = 0.1;  // of the linear residual: enough
    double growth;      // of the residual: more is not taken, but a shorter change

    newton_rule(double residual, double free_stream, const newton_bounds& bounds = {}) {
        const double ratio = free_stream > 0 ? residual / free_stream : 0;
        cfl = std::clamp(10 / std::max(ratio, 1e-300), 5.0, bounds.cfl);
        second = ratio < 0.1;
        directions = second ? most_directions : 10;
        growth = second ? bounds.growth : newton_bounds::none;
    }

    /// The flux of the first-order system, which near the steady flow preconditions that of second order. The
    /// dissipation of `central`, two fifths of Rusanov's, is too little for it: the diagonal blocks do not
    /// outweigh the others, and sweeps diverge.
    [[nodiscard]] euler_flux linear_flux(euler_flux scheme) const {
        return second && scheme != euler_flux::central ? scheme : euler_flux::rusanov;
    }
};

}  // namespace wale::euler
