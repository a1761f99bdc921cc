// links - see links.hpp: the weights of least squares times the inverse of their normal equations.
#include "solvers/euler/advance/cuda/colours/links.hpp"

namespace wale::euler {
namespace {

class maker {
public:
    maker(const plain_grid<double>& grid, const constants<double>& k) : grid_(grid), k_(k) {
        const index_t rows = grid.cells > 0 ? grid.end(grid.cells - 1) : 0;
        ghost_.assign(static_cast<std::size_t>(rows), -1);
        for (index_t row = 0; row < rows; ++row) {
            const std::int32_t other = grid.neighbour(row);
            if (!is_patch(other) || !is_seen(grid.kinds[patch_of(other)])) continue;
            ghost_[static_cast<std::size_t>(row)] =
                static_cast<std::int32_t>(grid.cells + std::ssize(made_.ghosts));
            made_.ghosts.push_back(static_cast<std::int32_t>(row));
        }
    }

    gradient_links all() {
        made_.first = {0};
        for (index_t cell = 0; cell < grid_.cells; ++cell) {
            add_cell(cell);
            made_.first.push_back(std::ssize(made_.links));
        }
        return std::move(made_);
    }

private:
    /// Where what lies behind a face is from the cell's centroid; false where a gradient sees nothing there.
    bool place(index_t row, double* d) const {
        double x[3];
        grid_.offset(row, x);
        const std::int32_t other = grid_.neighbour(row);
        if (!is_patch(other)) {
            double back[3];
            grid_.offset(grid_.opposite(row), back);
            for (int a = 0; a < 3; ++a) d[a] = x[a] - back[a];
            return true;
        }
        double n[3];
        grid_.normal(row, n);
        const ghost<double> g = ghost_of(grid_.kinds[patch_of(other)], k_.far, k_.far, n, x, k_);
        for (int a = 0; a < 3; ++a) d[a] = g.at[a];
        return g.seen;
    }

    void add_cell(index_t cell) {
        const auto before = static_cast<std::size_t>(std::ssize(made_.links));
        normal_equations<double> equations;
        const bool further = looks_further(grid_.end(cell) - grid_.begin(cell), k_);
        for (index_t row = grid_.begin(cell); row < grid_.end(cell); ++row) {
            double near[3];
            if (!place(row, near)) continue;
            add_link(row, near, equations);
            const std::int32_t other = grid_.neighbour(row);
            for (index_t r = 0; further && !is_patch(other) && r < grid_.end(other) - grid_.begin(other);
                 ++r) {
                double there[3];
                const index_t next = grid_.begin(other) + r;
                if (next == grid_.opposite(row) || !place(next, there)) continue;
                for (int a = 0; a < 3; ++a) there[a] += near[a];
                add_link(next, there, equations);
            }
        }
        for (int a = 0; a < 3; ++a) {  // of three unit vectors
            equations.x[a] = a == 0 ? 1 : 0;
            equations.y[a] = a == 1 ? 1 : 0;
            equations.z[a] = a == 2 ? 1 : 0;
        }
        const gradient_of<double> inverse = equations.solved();
        for (std::size_t l = before; l < made_.links.size(); ++l) {
            double(&w)[3] = made_.links[l].weight;
            const double d[3] = {w[0], w[1], w[2]};
            for (int a = 0; a < 3; ++a)
                w[a] = inverse.at[0][a] * d[0] + inverse.at[1][a] * d[1] + inverse.at[2][a] * d[2];
        }
    }

    void add_link(index_t row, const double* d, normal_equations<double>& equations) {
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!(square > 0)) return;
        equations.add(d, {}, {});
        const std::int32_t other = grid_.neighbour(row);
        made_.links.push_back({{d[0] / square, d[1] / square, d[2] / square},
                               is_patch(other) ? ghost_[static_cast<std::size_t>(row)] : other});
    }

    const plain_grid<double>& grid_;
    const constants<double>& k_;
    std::vector<std::int32_t> ghost_;  // [rows] number of each, or -1
    gradient_links made_;
};

}  // namespace

gradient_links gradient_links_of(const plain_grid<double>& grid, const constants<double>& k) {
    return maker(grid, k).all();
}

}  // namespace wale::euler
