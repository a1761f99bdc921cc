// kept_gradients - the gradients of cells that no patch is near, with all that does not change with the flow
// found once: the weights of neighbours, and the matrix of their normal equations. Sums are taken in the
// order of cell_gradient() and of the same numbers, so that the bits are its own.
#pragma once

#include <vector>

#include "solvers/euler/advance/cell.hpp"

namespace wale::euler {

class kept_gradients {
public:
    /// With a limiter that asks for the range of neighbours' values, nothing is kept. O(rows).
    kept_gradients(const plain_grid<double>& grid, const constants<double>& k) : first_{0} {
        if (k.limiter != euler_limiter::none) return;
        for (index_t cell = 0; cell < grid.cells; ++cell) {
            const std::size_t before = links_.size();
            normal_equations<double>& matrix = matrices_.emplace_back();
            if (!add_links(grid, cell, looks_further(grid.end(cell) - grid.begin(cell), k), matrix))
                links_.resize(before);
            first_.push_back(links_.size());
        }
    }

    /// steady_gradient() of a cell; `points` [cells].
    template <class Points>
    [[nodiscard]] gradient_of<double> of(const plain_grid<double>& grid, const Points& points, index_t cell,
                                         const constants<double>& k) const {
        const auto c = static_cast<std::size_t>(cell);
        if (first_.size() == 1 || first_[c] == first_[c + 1]) return steady_gradient(grid, points, cell, k);
        const gas_point<double>& point = points.point(cell, k);
        const primitives<double> own = primitives_of(point);
        normal_equations<double> equations = matrices_[c];
        for (std::size_t l = first_[c]; l < first_[c + 1]; ++l) {
            const link& to = links_[l];
            const primitives<double> other = primitives_of(points.point(to.cell, k));
            for (int v = 0; v < variables; ++v) {
                const double difference = other.at[v] - own.at[v];
                equations.x[v] += to.weight[0] * difference;
                equations.y[v] += to.weight[1] * difference;
                if (!k.flat) equations.z[v] += to.weight[2] * difference;
            }
        }
        gradient_of<double> g = equations.solved();
        if (k.smooth) shorten_smoothly(g, grid, cell, point);
        return g;
    }

private:
    struct link {
        double weight[3];  // d / |d|^2
        std::int32_t cell;
    };

    /// False where a patch is in reach: what lies behind one changes with the flow.
    bool add_links(const plain_grid<double>& grid, index_t cell, bool further,
                   normal_equations<double>& matrix) {
        const auto apart = [&](index_t row, const double* from, double* d) {
            double x[3], back[3];
            grid.offset(row, x);
            grid.offset(grid.opposite(row), back);
            for (int a = 0; a < 3; ++a) d[a] = from == nullptr ? x[a] - back[a] : x[a] - back[a] + from[a];
        };
        for (index_t row = grid.begin(cell); row < grid.end(cell); ++row) {
            const std::int32_t other = grid.neighbour(row);
            if (is_patch(other)) return false;
            double near[3], there[3];
            apart(row, nullptr, near);
            add_link(other, near, matrix);
            for (index_t r = grid.begin(other); further && r < grid.end(other); ++r) {
                if (r == grid.opposite(row)) continue;
                if (is_patch(grid.neighbour(r))) return false;
                apart(r, near, there);
                add_link(grid.neighbour(r), there, matrix);
            }
        }
        return true;
    }
    void add_link(std::int32_t cell, const double* d, normal_equations<double>& matrix) {
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!(square > 0)) return;
        const double weight = 1 / square;
        links_.push_back({{d[0] * weight, d[1] * weight, d[2] * weight}, cell});
        matrix.add(d, {}, {});
    }

    std::vector<std::size_t> first_;  // [cells + 1] places in links_, or nothing but 0
    std::vector<link> links_;
    std::vector<normal_equations<double>> matrices_;  // [cells], right-hand sides 0
};

}  // namespace wale::euler
