// measure - residuals, forces and totals of a state, with sums that no order of cells changes.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "base/order_free_sum.hpp"
#include "solvers/euler/advance/session.hpp"

namespace wale::euler {

/// What one cell adds to a sample.
struct cell_measure {
    static constexpr int sums = 16;  // residual 5, force 3, moment 3, total 5
    double at[sums]{};
};

/// `residual` is what flows into the cell a second.
template <class Real, class Grid>
WALE_HD inline cell_measure measure_cell(const Grid& grid, const gas_point<Real>& own,
                                         const flux_of<Real>& residual, index_t cell) {
    cell_measure m;
    const double volume = static_cast<double>(grid.volume(cell));
    const double rho = static_cast<double>(own.rho);
    const double state[variables] = {rho, rho * static_cast<double>(own.u), rho * static_cast<double>(own.v),
                                     rho * static_cast<double>(own.w), static_cast<double>(own.energy)};
    for (int v = 0; v < variables; ++v) {
        const double r = static_cast<double>(residual.at[v]);
        m.at[v] = r * r / volume;
        m.at[11 + v] = volume * state[v];
    }
    return m;
}

/// The cell's centre, relative to the moments'; null without coordinates.
[[nodiscard]] inline const double* arm_of(const flow_system& system, index_t cell,
                                          std::array<double, 3>& arm) {
    if (!system.grid.has_centres()) return nullptr;
    for (std::size_t d = 0; d < 3; ++d)
        arm[d] = system.grid.centre[static_cast<std::size_t>(3 * cell) + d] - system.options.moment_centre[d];
    return arm.data();
}

/// Adds the pressure on the walls of a cell; `centre` is the cell's, relative to the moments', or null;
/// `slope` its gradient, or null at first order.
template <class Real, class Grid>
WALE_HD inline void measure_walls(const Grid& grid, const gas_point<Real>& own, index_t cell,
                                  Real far_pressure, const double* centre, cell_measure& m,
                                  const gradient_of<Real>* slope = nullptr) {
    for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
        const std::int32_t other = grid.neighbour(row);
        if (!is_patch(other) || grid.kinds[patch_of(other)] != euler_boundary::wall) continue;
        Real n[3], x[3]{};
        grid.normal(row, n);
        if (slope != nullptr || centre != nullptr) grid.offset(row, x);
        const Real p = slope != nullptr ? pressure_at(own, *slope, x) : own.p;
        double force[3], arm[3];
        for (int d = 0; d < 3; ++d) {
            force[d] = static_cast<double>(p - far_pressure) * static_cast<double>(n[d]);
            m.at[5 + d] += force[d];
        }
        if (centre == nullptr) continue;
        for (int d = 0; d < 3; ++d) arm[d] = centre[d] + static_cast<double>(x[d]);
        for (int d = 0; d < 3; ++d) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            m.at[8 + d] += arm[e] * force[f] - arm[f] * force[e];
        }
    }
}

/// NaN, or a density or pressure that is not positive.
template <class Real>
WALE_HD inline bool is_bad(const gas_point<Real>& g) {
    return !(g.rho > 0) || !(g.p > 0) || !(g.rho - g.rho == 0) || !(g.energy - g.energy == 0);
}

/// The larger of two magnitudes; NaN where one of them is.
WALE_HD inline double larger(double a, double b) {
    return a >= b || a - a != 0 ? a : b;
}

/// From the sums to the coefficients.
[[nodiscard]] inline euler_sample sample_of(const flow_system& system,
                                            const std::array<double, cell_measure::sums>& sums) {
    euler_sample s;
    for (std::size_t v = 0; v < variables; ++v) {
        s.residual[v] = std::sqrt(sums[v] / (system.total_volume > 0 ? system.total_volume : 1));
        s.total[v] = sums[11 + v];
    }
    double* const coefficient[3] = {&s.drag, &s.lift, &s.side};
    const double unit = system.force_unit * system.normal_scale;
    for (std::size_t a = 0; a < 3; ++a) {
        double along = 0;
        for (std::size_t d = 0; d < 3; ++d) along += system.axes[a][d] * sums[5 + d];
        *coefficient[a] = along / unit;
        s.moment[a] = sums[8 + a] / (unit * system.options.reference_length);
    }
    return s;
}

/// Calls cell(i) -> cell_measure twice for each cell: for the largest terms, then for their sums.
template <class Cell>
[[nodiscard]] euler_sample measure_cells(const flow_system& system, Cell&& cell) {
    std::array<double, cell_measure::sums> largest{};
    for (index_t i = 0; i < system.cells(); ++i) {
        const cell_measure m = cell(i);
        for (std::size_t s = 0; s < largest.size(); ++s) largest[s] = larger(largest[s], std::fabs(m.at[s]));
    }
    std::vector<base::order_free_sum> sums;
    for (const double l : largest) sums.emplace_back(l);
    for (index_t i = 0; i < system.cells(); ++i) {
        const cell_measure m = cell(i);
        for (std::size_t s = 0; s < sums.size(); ++s) sums[s].add(m.at[s]);
    }
    std::array<double, cell_measure::sums> values{};
    for (std::size_t s = 0; s < values.size(); ++s) values[s] = sums[s].value();
    return sample_of(system, values);
}

}  // namespace wale::euler
