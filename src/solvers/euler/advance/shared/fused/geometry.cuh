// geometry - the faces of tetrahedra as a fused kernel of the published flux loads them: half the inward area
// vectors of a cell's four faces, in words of 16 bytes, cell by cell or interleaved by 32 cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cuda/device_array.cuh"
#include "solvers/euler/advance/shared/device/layouts.cuh"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

inline constexpr int woven_cells = 32;  // of an interleaved group: a warp's loads are then side by side

template <class Real>
inline constexpr int quads_of_cell = 12 / quad_size<Real>;

/// x of the four faces, y, z.
template <class Real>
struct face_vectors {
    Real x[4], y[4], z[4];
};

[[nodiscard]] WALE_HD inline index_t place_of_quad(bool interleaved, index_t cell, int i, int quads) {
    return interleaved ? (cell / woven_cells * quads + i) * woven_cells + cell % woven_cells
                       : cell * quads + i;
}

template <class Real>
struct fused_geometry {
    const int4* ids;            // [cells] behind the faces: the far field is `cells`, a wall below 0
    const quad<Real>* normals;  // place_of_quad()
    const Real* factors;        // [cells] CFL number over the root of the volume

    template <bool Interleaved>
    [[nodiscard]] __device__ face_vectors<Real> vectors(index_t cell) const {
        union {
            quad<Real> from[quads_of_cell<Real>];
            face_vectors<Real> to;
        } u;
        for (int i = 0; i < quads_of_cell<Real>; ++i)
            u.from[i] = __ldg(normals + place_of_quad(Interleaved, cell, i, quads_of_cell<Real>));
        return u.to;
    }
};

template <class Real>
class fused_geometry_arrays {
public:
    fused_geometry_arrays(const cuda::context& on, const flow_system& system, bool interleaved) {
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
                const index_t q = place_of_quad(interleaved, cell, w / quad_size<Real>, quads_of_cell<Real>);
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

}  // namespace wale::euler
