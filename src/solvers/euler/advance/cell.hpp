// cell - the sum over one cell's faces and its step: the templates that the reference, the plain CPU rows and
// the generic CUDA rows share. Grid, States and Gradients say where numbers lie. A pass of second order is
// two: cell_gradient (gradient.hpp) of all cells, then cell_residual.
#pragma once

#include <type_traits>

#include "solvers/euler/advance/gradient.hpp"
#include "solvers/euler/advance/shocks.hpp"

namespace wale::euler {

/// The mesh as plain arrays, host or device.
template <class Real>
struct plain_grid {
    index_t cells = 0;
    const index_t* first_face = nullptr;       // [cells + 1]
    const std::int32_t* neighbours = nullptr;  // [rows] cell, or -1 - patch
    const std::uint8_t* opposites = nullptr;   // [rows]
    const Real* normals = nullptr;             // [rows][3]
    const Real* volumes = nullptr;             // [cells]
    const Real* offsets = nullptr;             // [rows][3], or null without coordinates
    const euler_boundary* kinds = nullptr;     // [patches]
    const gas_point<Real>* said = nullptr;     // [patches] of flow_system::said

    [[nodiscard]] WALE_HD index_t begin(index_t cell) const { return first_face[cell]; }
    [[nodiscard]] WALE_HD index_t end(index_t cell) const { return first_face[cell + 1]; }
    [[nodiscard]] WALE_HD std::int32_t neighbour(index_t row) const { return neighbours[row]; }
    [[nodiscard]] WALE_HD index_t opposite(index_t row) const {
        return first_face[neighbours[row]] + opposites[row];
    }
    WALE_HD void normal(index_t row, Real* n) const {
        for (int d = 0; d < 3; ++d) n[d] = normals[3 * row + d];
    }
    WALE_HD void offset(index_t row, Real* x) const {
        for (int d = 0; d < 3; ++d) x[d] = offsets[3 * row + d];
    }
    [[nodiscard]] WALE_HD Real volume(index_t cell) const { return volumes[cell]; }
};

/// States with the five of a cell side by side.
template <class Real>
struct cell_major_states {
    const Real* at = nullptr;  // [cells][5]
    [[nodiscard]] WALE_HD gas_point<Real> point(index_t cell, const constants<Real>& k) const {
        return point_of(at + variables * cell, k);
    }
};

/// What flows into the cell a second.
template <euler_flux Flux, int Order, class Real, class Grid, class States, class Gradients,
          class Shocks = no_shocks>
WALE_HD inline flux_of<Real> cell_residual(const Grid& grid, const States& states, const Gradients& gradients,
                                           index_t cell, const constants<Real>& k,
                                           [[maybe_unused]] const Shocks& shocks = {}) {
    const gas_point<Real> own = states.point(cell, k);
    flux_of<Real> sum{};
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        Real n[3];
        grid.normal(row, n);
        const std::int32_t other = grid.neighbour(row);
        gas_point<Real> near = own;
        if constexpr (Order == 2) {
            Real x[3];
            grid.offset(row, x);
            near = carried_to(own, gradients.at(cell), x, k);
        }
        flux_of<Real> f;
        if (is_patch(other)) {
            const euler_boundary kind = grid.kinds[patch_of(other)];
            if constexpr (Order == 2) near = inner_point(kind, own, near, n);
            f = boundary_flux<Flux>(kind, near, grid.said[patch_of(other)], n, k);
        } else {
            gas_point<Real> far = states.point(other, k);
            if constexpr (Order == 2) {
                Real x[3];
                grid.offset(grid.opposite(row), x);
                far = carried_to(far, gradients.at(other), x, k);
            }
            if constexpr (std::is_same_v<Shocks, no_shocks>)
                f = face_flux<Flux>(near, far, n, k);
            else
                f = blended_flux<Flux>(near, far, n, k, shocks.at(cell, other));
        }
        for (int v = 0; v < variables; ++v) sum.at[v] -= f.at[v];
    }
    return sum;
}

/// The same to first order.
template <euler_flux Flux, class Real, class Grid, class States>
WALE_HD inline flux_of<Real> cell_residual(const Grid& grid, const States& states, index_t cell,
                                           const constants<Real>& k) {
    return cell_residual<Flux, 1>(grid, states, no_gradients{}, cell, k);
}

/// One of Jacobi's sweeps towards (1 + factor faces) smooth - factor (sum of neighbours' smooth) = rough, the
/// implicit averaging of Jameson and Baker 1983: `rough` and `smooth` hold the residuals of all cells, the
/// latter as the sweep before left them (at first the same).
template <class Real, class Grid>
WALE_HD inline flux_of<Real> smoothed(const Grid& grid, const flux_of<Real>* rough,
                                      const flux_of<Real>* smooth, index_t cell, const constants<Real>& k) {
    flux_of<Real> sum{};
    Real faces = 0;
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        const std::int32_t other = grid.neighbour(row);
        if (is_patch(other)) continue;
        faces += 1;
        for (int v = 0; v < variables; ++v) sum.at[v] += smooth[other].at[v];
    }
    const Real share = Real(1) / (Real(1) + k.smoothing_factor * faces);
    for (int v = 0; v < variables; ++v)
        sum.at[v] = (rough[cell].at[v] + k.smoothing_factor * sum.at[v]) * share;
    return sum;
}

/// The step of time over the volume that a cell may take by itself.
template <class Real, class Grid>
WALE_HD inline Real step_over_volume(euler_step rule, const Grid& grid, const gas_point<Real>& own,
                                     index_t cell, const constants<Real>& k) {
    if (k.fixed_step > 0) return k.fixed_step / grid.volume(cell);
    if (rule == euler_step::rodinia) return k.cfl / (std::sqrt(grid.volume(cell)) * (speed(own) + own.c));
    Real waves = 0;
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        Real n[3];
        grid.normal(row, n);
        waves += std::fabs(own.u * n[0] + own.v * n[1] + own.w * n[2]) + own.c * length_of(n);
    }
    return k.cfl / (Real(0.5) * waves);
}

}  // namespace wale::euler
