// recover - a mesh of tetrahedra gets its corners back from the area vectors of its faces.
//
// With outward area vectors S1, S2, S3 opposite corners 1, 2, 3 and D = S1 . (S2 x S3) < 0, the edge from
// corner 0 to corner 1 is sqrt(2 / -D) (S2 x S3), and so on round: the rows of S are -3V times those of the
// inverse of the matrix of edges, and D = -9/2 V^2.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

#include "base/argument.hpp"
#include "base/disjoint_sets.hpp"
#include "base/vec.hpp"

namespace wale {
namespace meshes {

using base::load, base::vec;
namespace {

constexpr double tolerance = 1e-5;  // of closure: files have seven digits

class gluing {
public:
    explicit gluing(mesh& m) : m_(m), corner_(at(4 * m.cells())), corners_(4 * m.cells()) {
        check();
        turn_faces();
        for (index_t c = 0; c < m.cells(); ++c) shape(c);
    }

    recovery run() {
        recovery r;
        place_cells(r);
        for (index_t c = 0; c < m_.cells(); ++c)
            for (int k = 0; k < 4; ++k)
                if (neighbour(c, k) > c) r.mismatch = std::max(r.mismatch, glue(c, k));
        collect_points();
        measure();
        return r;
    }

private:
    static std::size_t at(index_t i) noexcept { return static_cast<std::size_t>(i); }
    [[nodiscard]] std::int32_t neighbour(index_t c, int face) const { return m_.neighbour[at(4 * c + face)]; }
    [[nodiscard]] int opposite(index_t c, int face) const { return m_.opposite[at(4 * c + face)]; }
    [[nodiscard]] vec normal(index_t c, int face) const { return load(m_.normal.data(), 4 * c + face); }
    [[nodiscard]] double determinant(index_t c) const {
        return dot(normal(c, 1), cross(normal(c, 2), normal(c, 3)));
    }
    /// From the cell's middle, as long as the cell has no place; later in space.
    vec& corner(index_t c, int k) { return corner_[at(4 * c + k)]; }

    void check() const {
        if (m_.dimensions != 3) base::refuse("mesh", "has 2 dimensions", "tetrahedra");
        for (index_t c = 0; c < m_.cells(); ++c) {
            const auto demand = [c](bool holds, const char* what) {
                if (!holds) throw bad_argument("mesh: cell " + std::to_string(c) + what);
            };
            demand(m_.first_face[at(c) + 1] - m_.first_face[at(c)] == 4,
                   " has not 4 faces, expected tetrahedra");
            vec gap;
            double area = 0;
            for (int k = 0; k < 4; ++k) {
                demand(neighbour(c, k) < m_.cells() && opposite(c, k) < 4,
                       " has a neighbour that does not exist");
                gap = gap + normal(c, k);
                area += length(normal(c, k));
            }
            demand(length(gap) <= tolerance * area, " has faces that do not close");
            demand(std::isfinite(2 / determinant(c)), " is flat");
        }
    }

    /// The faces of a file may run either way round. Faces 1 and 2 change places where corners opposite the
    /// faces would not be in VTK's order.
    void turn_faces() {
        std::vector<char> turned(at(m_.cells()), 0);
        for (index_t c = 0; c < m_.cells(); ++c) {
            if (!(determinant(c) > 0)) continue;
            turned[at(c)] = 1;
            std::swap(m_.neighbour[at(4 * c + 1)], m_.neighbour[at(4 * c + 2)]);
            std::swap(m_.opposite[at(4 * c + 1)], m_.opposite[at(4 * c + 2)]);
            const vec one = normal(c, 1);
            store(m_.normal.data(), 4 * c + 1, normal(c, 2));
            store(m_.normal.data(), 4 * c + 2, one);
        }
        for (std::size_t row = 0; row < m_.neighbour.size(); ++row) {
            const std::int32_t n = m_.neighbour[row];
            std::uint8_t& opposite = m_.opposite[row];
            if (!is_patch(n) && turned[at(n)] && (opposite == 1 || opposite == 2))
                opposite = static_cast<std::uint8_t>(3 - opposite);
        }
    }

    void shape(index_t c) {
        const double size = std::sqrt(2 / -determinant(c));
        const vec s1 = normal(c, 1), s2 = normal(c, 2), s3 = normal(c, 3);
        const vec e1 = size * cross(s2, s3), e2 = size * cross(s3, s1), e3 = size * cross(s1, s2);
        const vec middle = 0.25 * (e1 + e2 + e3);
        corner(c, 0) = -middle;
        corner(c, 1) = e1 - middle;
        corner(c, 2) = e2 - middle;
        corner(c, 3) = e3 - middle;
    }

    /// Breadth first, so that few shifts add up on the way to any cell. The first cell of a piece is at 0.
    void place_cells(recovery& r) {
        std::vector<char> placed(at(m_.cells()), 0);
        std::vector<vec> middle(at(m_.cells()));
        std::vector<index_t> order;
        for (index_t start = 0; start < m_.cells(); ++start) {
            if (placed[at(start)]) continue;
            ++r.pieces;
            placed[at(start)] = 1;
            order.assign(1, start);
            for (std::size_t next = 0; next < order.size(); ++next)
                for (int k = 0; k < 4; ++k) {
                    const index_t c = order[next], n = neighbour(c, k);
                    if (is_patch(neighbour(c, k)) || placed[at(n)]) continue;
                    placed[at(n)] = 1;
                    // A face's middle is a third of the way from the cell's to beyond, off the corner
                    // opposite.
                    middle[at(n)] = middle[at(c)] + (1.0 / 3) * (corner(n, opposite(c, k)) - corner(c, k));
                    order.push_back(n);
                }
        }
        for (index_t c = 0; c < m_.cells(); ++c)
            for (int k = 0; k < 4; ++k) corner(c, k) = middle[at(c)] + corner(c, k);
    }

    /// Makes the corners of a face one with the neighbour's. Returns how far they are apart, in edges.
    double glue(index_t c, int face) {
        const index_t n = neighbour(c, face);
        const face_corners own = corners_of_face(cell_shape::tetrahedron, face);
        const face_corners other = corners_of_face(cell_shape::tetrahedron, opposite(c, face));
        const auto mine = [&](std::size_t k) { return own.at[k % 3]; };
        // The neighbour's run the other way; which one is the first is what fits best.
        const auto theirs = [&](std::size_t k, std::size_t turn) { return other.at[(turn + 3 - k % 3) % 3]; };
        double best = HUGE_VAL;
        std::size_t best_turn = 0;
        for (std::size_t turn = 0; turn < 3; ++turn) {
            double worst = 0;
            for (std::size_t k = 0; k < 3; ++k)
                worst = std::max(worst, length(corner(c, mine(k)) - corner(n, theirs(k, turn))));
            if (!(worst < best)) continue;
            best = worst;
            best_turn = turn;
        }
        double edge = HUGE_VAL;
        for (std::size_t k = 0; k < 3; ++k) {
            edge = std::min(edge, length(corner(c, mine(k)) - corner(c, mine(k + 1))));
            corners_.join(4 * c + mine(k), 4 * n + theirs(k, best_turn));
        }
        return best / edge;
    }

    /// Points in the order in which cells name them, each the mean of what its cells say.
    void collect_points() {
        const index_t all = 4 * m_.cells();
        std::vector<std::int32_t> number(at(all), -1);
        std::vector<double> opinions;
        m_.points.clear();
        m_.corners.resize(at(all));
        for (index_t i = 0; i < all; ++i) {
            std::int32_t& point = number[at(corners_.find(i))];
            if (point < 0) {
                if (std::ssize(opinions) == std::numeric_limits<std::int32_t>::max())
                    throw bad_argument("mesh: has more than 2^31 - 1 points");
                point = static_cast<std::int32_t>(opinions.size());
                opinions.push_back(0);
                m_.points.resize(m_.points.size() + 3, 0.0);
            }
            store(m_.points.data(), point, load(m_.points.data(), point) + corner_[at(i)]);
            opinions[at(point)] += 1;
            m_.corners[at(i)] = point;
        }
        for (std::size_t i = 0; i < m_.points.size(); ++i) m_.points[i] /= opinions[i / 3];
        m_.shapes.assign(at(m_.cells()), cell_shape::tetrahedron);
        m_.first_corner = m_.first_face;
    }

    void measure() {
        m_.centre.resize(at(3 * m_.cells()));
        m_.face_offset.resize(m_.normal.size());
        for (index_t c = 0; c < m_.cells(); ++c) {
            std::array<vec, 4> p;
            for (std::size_t k = 0; k < 4; ++k) p[k] = load(m_.points.data(), m_.corners[at(4 * c) + k]);
            const vec middle = 0.25 * (p[0] + p[1] + p[2] + p[3]);
            store(m_.centre.data(), c, middle);
            for (int k = 0; k < 4; ++k)
                store(m_.face_offset.data(), 4 * c + k, (1.0 / 3) * (middle - p[at(k)]));
        }
    }

    mesh& m_;
    std::vector<vec> corner_;  // [cells][4]
    base::disjoint_sets corners_;
};

}  // namespace
}  // namespace meshes

recovery recover_points(mesh& m) {
    return meshes::gluing(m).run();
}

}  // namespace wale
