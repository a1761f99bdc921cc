// locate - the cell that a point lies in, and the cell whose centroid is nearest.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

namespace wale {
namespace {

void demand_centres(const mesh& m, const char* what) {
    if (m.cells() > 0 && !m.has_centres())
        throw bad_argument(std::string(what) + ": needs a mesh with coordinates");
}

/// How far a point lies outside of a cell, in parts of its size: the most over its faces' planes.
double outside(const mesh& m, std::size_t cell, const std::array<double, 3>& at) {
    double most = -std::numeric_limits<double>::infinity();
    for (auto r = static_cast<std::size_t>(m.first_face[cell]);
         r < static_cast<std::size_t>(m.first_face[cell + 1]); ++r) {
        const double* n = &m.normal[3 * r];
        double away = 0;
        for (std::size_t d = 0; d < 3; ++d)
            away += n[d] * (at[d] - m.centre[3 * cell + d] - m.face_offset[3 * r + d]);
        most = std::max(most, away / std::hypot(n[0], n[1], n[2]));
    }
    return most / (m.dimensions == 2 ? std::sqrt(m.volume[cell]) : std::cbrt(m.volume[cell]));
}

/// Centroids in halves: those of [first, last) lie on either side of the middle one's plane.
class centroid_tree {
public:
    explicit centroid_tree(const mesh& m) : m_(m), cells_(m.volume.size()), axes_(m.volume.size()) {
        std::iota(cells_.begin(), cells_.end(), 0);
        divide(0, cells_.size());
    }
    /// The nearest cell, of equally near ones the least number.
    [[nodiscard]] index_t nearest(const double* at) const {
        best found;
        search(0, cells_.size(), at, found);
        return found.cell;
    }

private:
    struct best {
        double square = std::numeric_limits<double>::infinity();
        index_t cell = -1;
    };
    [[nodiscard]] double place(std::int32_t cell, std::size_t axis) const {
        return m_.centre[3 * static_cast<std::size_t>(cell) + axis];
    }
    void divide(std::size_t first, std::size_t last) {
        if (first >= last) return;
        const std::size_t middle = first + (last - first) / 2;
        std::size_t axis = 0;
        double widest = -1;
        for (std::size_t d = 0; d < 3; ++d) {
            double low = place(cells_[first], d), high = low;
            for (std::size_t i = first; i < last; ++i) {
                low = std::min(low, place(cells_[i], d));
                high = std::max(high, place(cells_[i], d));
            }
            if (high - low > widest) widest = high - low, axis = d;
        }
        const auto at = [&](std::size_t i) { return cells_.begin() + static_cast<std::ptrdiff_t>(i); };
        std::nth_element(at(first), at(middle), at(last),
                         [&](std::int32_t a, std::int32_t b) { return place(a, axis) < place(b, axis); });
        axes_[middle] = static_cast<std::uint8_t>(axis);
        divide(first, middle);
        divide(middle + 1, last);
    }
    void search(std::size_t first, std::size_t last, const double* at, best& found) const {
        if (first >= last) return;
        const std::size_t middle = first + (last - first) / 2, axis = axes_[middle];
        const std::int32_t cell = cells_[middle];
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) square += (at[d] - place(cell, d)) * (at[d] - place(cell, d));
        if (square < found.square || (square == found.square && cell < found.cell)) found = {square, cell};
        const double side = at[axis] - place(cell, axis);
        search(side < 0 ? first : middle + 1, side < 0 ? middle : last, at, found);
        if (side * side <= found.square)
            search(side < 0 ? middle + 1 : first, side < 0 ? last : middle, at, found);
    }

    const mesh& m_;
    std::vector<std::int32_t> cells_;
    std::vector<std::uint8_t> axes_;  // of the plane through the middle one
};

}  // namespace

std::vector<index_t> cells_at(const mesh& m, std::span<const std::array<double, 3>> points) {
    demand_centres(m, "cells_at");
    constexpr double rounding = 1e-6;  // of a cell's size
    std::vector<index_t> found(points.size(), -1);
    std::vector<double> least(points.size(), rounding);
    for (std::size_t c = 0; c < m.volume.size(); ++c)
        for (std::size_t p = 0; p < points.size(); ++p)
            if (const double away = outside(m, c, points[p]); away < least[p]) {
                least[p] = away;
                found[p] = static_cast<index_t>(c);
            }
    return found;
}

std::vector<index_t> nearest_cells(const mesh& from, const mesh& to) {
    demand_centres(from, "nearest_cells");
    demand_centres(to, "nearest_cells");
    if (from.cells() == 0 && to.cells() > 0) throw bad_argument("nearest_cells: the mesh has no cell");
    const centroid_tree tree(from);
    std::vector<index_t> found(to.volume.size());
    for (std::size_t c = 0; c < found.size(); ++c) found[c] = tree.nearest(&to.centre[3 * c]);
    return found;
}

}  // namespace wale
