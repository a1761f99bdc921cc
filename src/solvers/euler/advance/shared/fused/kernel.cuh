// kernel - a stage of the published scheme on tetrahedra in one pass: residual and step. A thread a cell; the
// states of its neighbours are asked for before any is used.
//
// Through a face with half the inward area vector h, scalar flux gives the cell
//   (own flux) h + (neighbour's flux) h + |h| 0.2 (waves + waves') (neighbour's state - own state),
// so the own flux is taken once, through the sum of the four h: exact on open cells too, and nearly nothing
// on closed ones. A wall is the cell's own state with its velocity reversed and no dissipation: what is left
// is the pressure.
#pragma once

#include "solvers/euler/advance/shared/device/held.cuh"
#include "solvers/euler/advance/shared/device/layouts.cuh"
#include "solvers/euler/advance/shared/fused/geometry.cuh"

namespace wale::euler {

template <class Real, euler_layout Layout>
struct fused_task {
    index_t cells;
    fused_geometry<Real> geometry;
    flow_states<Real, Layout> now, old, next;  // next may be old
    constants<Real> k;
    int stage;
    bool backwards;  // last cells first, so that the cache still has what the stage before wrote last
};

/// sqrt(x) by the reciprocal root: within two units in the last place, in a fifth of the instructions. For
/// the length of area vectors in single precision; it weighs dissipation alone.
__device__ inline float length_from_square(float x) {
    return x > 0 ? x * rsqrtf(x) : 0.0f;
}
__device__ inline double length_from_square(double x) {
    return sqrt(x);
}

template <class Real>
struct scalar_sum {
    Real rho = 0, mx = 0, my = 0, mz = 0, energy = 0;
    Real spread = 0;  // weight of the own state in the dissipation

    __device__ void add_face(Real x, Real y, Real z, Real dissipation, Real own_waves,
                             const gas_words<Real>& g, bool wall) {
        const Real towards = fma(x, g.mx, fma(y, g.my, z * g.mz)) * g.inverse;
        const Real through = wall ? -towards : towards;
        const Real k = dissipation * (own_waves + g.waves);
        const Real weight = through + k;
        rho = fma(g.rho, weight, rho);
        mx = fma(g.mx, weight, fma(g.p, x, mx));
        my = fma(g.my, weight, fma(g.p, y, my));
        mz = fma(g.mz, weight, fma(g.p, z, mz));
        energy = fma(g.energy, weight, fma(g.p, through, energy));
        spread += k;
    }
    /// The own flux through the sum of all faces, and the own side of the dissipation.
    __device__ void add_own(Real x, Real y, Real z, const gas_words<Real>& g) {
        const Real through = fma(x, g.mx, fma(y, g.my, z * g.mz)) * g.inverse;
        const Real weight = through - spread;
        rho = fma(g.rho, weight, rho);
        mx = fma(g.mx, weight, fma(g.p, x, mx));
        my = fma(g.my, weight, fma(g.p, y, my));
        mz = fma(g.mz, weight, fma(g.p, z, mz));
        energy = fma(g.energy, weight, fma(g.p, through, energy));
    }
};

template <int Row, class Real, euler_layout Layout>
__device__ inline scalar_sum<Real> sum_of_faces(const fused_task<Real, Layout>& t, index_t cell,
                                                const gas_words<Real>& own, const constants<Real>& k) {
    const int4 ids = __ldg(t.geometry.ids + cell);
    const face_vectors<Real> h = t.geometry.template vectors<fused_policies[Row].policy.interleaved>(cell);
    const std::int32_t behind[4] = {ids.x, ids.y, ids.z, ids.w};
    gas_words<Real> other[4];
    for (int f = 0; f < 4; ++f) other[f] = load(t.now, behind[f] < 0 ? cell : index_t{behind[f]}, k);
    scalar_sum<Real> sum;
    for (int f = 0; f < 4; ++f) {
        const bool wall = behind[f] < 0, inner = !wall && behind[f] < t.cells;
        const Real square = fma(h.x[f], h.x[f], fma(h.y[f], h.y[f], h.z[f] * h.z[f]));
        sum.add_face(h.x[f], h.y[f], h.z[f], inner ? k.dissipation * length_from_square(square) : Real(0),
                     own.waves, other[f], wall);
    }
    sum.add_own((h.x[0] + h.x[1]) + (h.x[2] + h.x[3]), (h.y[0] + h.y[1]) + (h.y[2] + h.y[3]),
                (h.z[0] + h.z[1]) + (h.z[2] + h.z[3]), own);
    return sum;
}

namespace {

template <int Row, euler_constants Where, class Real, euler_layout Layout>
__global__ void __launch_bounds__(fused_policies[Row].policy.block)
    take_fused_stage(const __grid_constant__ fused_task<Real, Layout> t) {
    const unsigned block = t.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const index_t cell = static_cast<index_t>(block) * blockDim.x + threadIdx.x;
    if (cell >= t.cells) return;
    const constants<Real> k = held<Where>(t.k);
    const gas_words<Real> own = load(t.now, cell, k);
    const gas_words<Real> old = t.stage == 0 ? own : load(t.old, cell, k);
    const scalar_sum<Real> sum = sum_of_faces<Row>(t, cell, own, k);
    const Real step = of_stage(k.from_flux, t.stage) * (t.geometry.factors[cell] / old.waves);
    const Real a = of_stage(k.from_old, t.stage), b = of_stage(k.from_now, t.stage);
    const Real next[variables] = {
        fma(step, sum.rho, fma(b, own.rho, a * old.rho)), fma(step, sum.mx, fma(b, own.mx, a * old.mx)),
        fma(step, sum.my, fma(b, own.my, a * old.my)), fma(step, sum.mz, fma(b, own.mz, a * old.mz)),
        fma(step, sum.energy, fma(b, own.energy, a * old.energy))};
    store(t.next, cell, next, k);
}

}  // namespace
}  // namespace wale::euler
