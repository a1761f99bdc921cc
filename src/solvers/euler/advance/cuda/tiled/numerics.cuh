// numerics - the published scheme as the tiles compute it: what lies in shared memory of a cell, what a face
// adds, and the derived quantities, each by one rule so that a state gives the same bits wherever it is met.
//
// With n the area vector turned inward and halved, a cell's residual is the sum over its faces j of
//     U_j w_j + (0, n p_j, p_j v_j)   less   U_i times the sum of k_j,     w_j = v_j + k_j
// where v_j = velocity_j . n and k_j = dissipation |n| (waves_i + waves_j): the own flux drops out, as the
// area vectors of a cell sum to zero. A wall is the own state with v_j turned round. Where a mesh does not
// close so well, the own flux through the sum of the vectors is added.
#pragma once

#include <cuda_runtime.h>

#include "base/host_device.hpp"
#include "solvers/euler/advance/shared/fused/near_number.hpp"

namespace wale::euler::tiled {

/// What neighbours ask of a cell.
template <class Real>
struct gas {
    Real rho, x, y, z;  // density, momentum
    Real p, waves;      // pressure, |v| + c
};

/// What the scheme asks of the case; by value in the kernels' parameters.
template <class Real>
struct scheme_numbers {
    Real gamma, gamma_1, inverse_gamma_1;
    Real dissipation;
    Real cfl;
    Real stage[3];  // of the step
};

template <class Real>
__device__ inline Real square(Real x, Real y, Real z) {
    return fma(z, z, fma(y, y, x * x));
}

/// rho E of a gas.
template <class Real>
__device__ inline Real energy_of(const gas<Real>& g, Real inverse_rho, const scheme_numbers<Real>& k) {
    return fma(g.p, k.inverse_gamma_1, Real(0.5) * inverse_rho * square(g.x, g.y, g.z));
}

/// Sets pressure and waves.
template <class Real>
__device__ inline void complete(gas<Real>& g, Real energy, const scheme_numbers<Real>& k) {
    const Real inverse_rho = near_inverse(g.rho);
    const Real momentum = square(g.x, g.y, g.z);
    g.p = k.gamma_1 * fma(Real(-0.5) * momentum, inverse_rho, energy);
    g.waves = fma(near_root(momentum), inverse_rho, near_root(k.gamma * g.p * inverse_rho));
}

/// The sum over a cell's faces.
template <class Real>
struct face_sums {
    Real rho = 0, x = 0, y = 0, z = 0, energy = 0, k = 0;

    /// `spread` is the dissipation times |n|; `own_waves` the cell's.
    __device__ void add(const gas<Real>& g, const Real* n, Real spread, Real own_waves, bool mirrored,
                        const scheme_numbers<Real>& numbers) {
        const Real inverse_rho = near_inverse(g.rho);
        const Real straight = fma(n[2], g.z, fma(n[1], g.y, n[0] * g.x)) * inverse_rho;
        const Real through = mirrored ? -straight : straight;
        const Real own = spread * (own_waves + g.waves);
        const Real weight = through + own;
        rho = fma(g.rho, weight, rho);
        x = fma(g.x, weight, fma(n[0], g.p, x));
        y = fma(g.y, weight, fma(n[1], g.p, y));
        z = fma(g.z, weight, fma(n[2], g.p, z));
        energy = fma(energy_of(g, inverse_rho, numbers), weight, fma(g.p, through, energy));
        k += own;
    }
};

}  // namespace wale::euler::tiled
