// kernel - a stage of the published scheme on tetrahedra in one pass: residual and step. A thread a cell; the
// states of its neighbours are asked for before any is used.
//
// Through a face with half the inward area vector h, scalar flux gives the cell
//   (own flux) h + (neighbour's flux) h + |h| 0.2 (waves + waves') (neighbour's state - own state),
// so the own flux is taken once, through the sum of the four h: exact on open cells too, and nearly nothing
// on closed ones. A wall is the cell's own state with its velocity reversed and no dissipation: what is left
// is the pressure.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cuda/device_array.cuh"
#include "solvers/euler/advance/shared/device/held.cuh"
#include "solvers/euler/advance/shared/device/layouts.cuh"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

// The faces of tetrahedra as a fused kernel of the published flux loads them: half the inward area vectors
// of a cell's four faces, in words of 16 bytes, interleaved by 32 cells.
inline constexpr int woven_cells = 32;  // of an interleaved group: a warp's loads are then side by side

template <class Real>
inline constexpr int quads_of_cell = 12 / quad_size<Real>;

/// x of the four faces, y, z.
template <class Real>
struct face_vectors {
    Real x[4], y[4], z[4];
};

[[nodiscard]] WALE_HD inline index_t place_of_quad(index_t cell, int i, int quads) {
    return (cell / woven_cells * quads + i) * woven_cells + cell % woven_cells;
}

template <class Real>
struct fused_geometry {
    const int4* ids;            // [cells] behind the faces: the far field is `cells`, a wall below 0
    const quad<Real>* normals;  // place_of_quad()
    const Real* factors;        // [cells] CFL number over the root of the volume

    [[nodiscard]] __device__ face_vectors<Real> vectors(index_t cell) const {
        union {
            quad<Real> from[quads_of_cell<Real>];
            face_vectors<Real> to;
        } u;
        for (int i = 0; i < quads_of_cell<Real>; ++i)
            u.from[i] = __ldg(normals + place_of_quad(cell, i, quads_of_cell<Real>));
        return u.to;
    }
};

template <class Real>
class fused_geometry_arrays {
public:
    fused_geometry_arrays(const cuda::context& on, const flow_system& system) {
        const host_arrays<Real> host(system);
        const auto cells = static_cast<std::size_t>(system.cells());
        const auto cfl = static_cast<Real>(system.options.scheme.cfl);
        std::vector<int4> ids(cells);
        std::vector<Real> factors(cells);
        const std::size_t groups = (cells + woven_cells - 1) / woven_cells;
        std::vector<Real> normals(groups * woven_cells * 12);
        for (std::size_t c = 0; c < cells; ++c) {
            const auto cell = static_cast<index_t>(c);
            ids[c] = {behind(system, 4 * c), behind(system, 4 * c + 1), behind(system, 4 * c + 2),
                      behind(system, 4 * c + 3)};
            factors[c] = cfl / std::sqrt(host.volumes[c]);
            for (int w = 0; w < 12; ++w) {  // word w of a cell: component w / 4 of face w % 4
                const index_t q = place_of_quad(cell, w / quad_size<Real>, quads_of_cell<Real>);
                normals[static_cast<std::size_t>(q * quad_size<Real> + w % quad_size<Real>)] =
                    Real(-0.5) * host.normals[12 * c + static_cast<std::size_t>(3 * (w % 4) + w / 4)];
            }
        }
        ids_ = cuda::device_array<int4>(on, ids);
        factors_ = cuda::device_array<Real>(on, factors);
        normals_ = cuda::device_array<Real>(on, normals);
    }
    [[nodiscard]] fused_geometry<Real> view() const {
        return {ids_.data(), reinterpret_cast<const quad<Real>*>(normals_.data()), factors_.data()};
    }

private:
    [[nodiscard]] static std::int32_t behind(const flow_system& system, std::size_t row) {
        const std::int32_t n = system.grid.neighbour[row];
        if (!is_patch(n)) return n;
        const bool far = system.kinds[static_cast<std::size_t>(patch_of(n))] == euler_boundary::far_field;
        return far ? static_cast<std::int32_t>(system.cells()) : -1;
    }
    cuda::device_array<int4> ids_;
    cuda::device_array<Real> normals_, factors_;
};

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

template <class Real, euler_layout Layout>
__device__ inline scalar_sum<Real> sum_of_faces(const fused_task<Real, Layout>& t, index_t cell,
                                                const gas_words<Real>& own, const constants<Real>& k) {
    const int4 ids = __ldg(t.geometry.ids + cell);
    const face_vectors<Real> h = t.geometry.vectors(cell);
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
    const scalar_sum<Real> sum = sum_of_faces(t, cell, own, k);
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
