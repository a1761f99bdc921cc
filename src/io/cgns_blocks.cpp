// cgns_blocks - cells of blocks, and what is left of a hexahedron at a pole.
#include "io/cgns_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace wale::io {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Steps from a cell's first point to its corners, in VTK's order; a quadrilateral has the first four.
constexpr std::array<block_index, 8> corner_steps{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
/// The edges of a hexahedron; a quadrilateral has the first four.
constexpr std::array<std::array<std::size_t, 2>, 12> edges{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

/// A short list of points; more than eight are never asked for.
struct polygon {
    std::array<std::int32_t, 8> point{};
    std::size_t count = 0;

    void add(std::int32_t p) { point[count++] = p; }
    [[nodiscard]] bool has(std::int32_t p) const {
        return std::find(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(count), p) !=
               point.begin() + static_cast<std::ptrdiff_t>(count);
    }
    [[nodiscard]] polygon distinct() const {
        polygon once;
        for (std::size_t i = 0; i < count; ++i)
            if (!once.has(point[i])) once.add(point[i]);
        return once;
    }
    /// Without corners that equal the one before them.
    [[nodiscard]] polygon collapsed() const {
        polygon left;
        for (std::size_t i = 0; i < count; ++i)
            if (point[i] != point[(i + count - 1) % count]) left.add(point[i]);
        return left;
    }
};

struct cell {
    bool sound = false;
    cell_shape shape{};
    polygon corners;
};

cell flat_cell(const polygon& four) {
    const polygon left = four.collapsed();
    const bool sound = left.count >= 3 && left.distinct().count == left.count;
    return {sound, left.count == 3 ? cell_shape::triangle : cell_shape::quadrilateral, left};
}

/// The other end of the edge that leads from a corner of a prism's triangle to its other triangle; the
/// corner itself where there is none.
std::int32_t across(const std::vector<polygon>& faces, const polygon& triangle, std::int32_t corner) {
    for (const polygon& f : faces)
        for (std::size_t i = 0; f.count == 4 && i < 4; ++i) {
            if (f.point[i] != corner) continue;
            for (const std::int32_t next : {f.point[(i + 1) % 4], f.point[(i + 3) % 4]})
                if (!triangle.has(next)) return next;
        }
    return corner;
}

/// What the faces that are left make: of polyhedra with those numbers of corners, triangles and
/// quadrilaterals there is one each. A face's corners run counterclockwise seen from outside, which the
/// base of a prism, pyramid and tetrahedron does not.
cell collapsed_solid(const polygon& eight, const polygon& distinct) {
    std::vector<polygon> faces;
    std::size_t triangles = 0;
    for (int f = 0; f < 6; ++f) {
        polygon face;
        for (const std::int8_t c : corners_of_face(cell_shape::hexahedron, f).at)
            face.add(eight.point[static_cast<std::size_t>(c)]);
        face = face.collapsed();
        if (face.count < 3) continue;
        if (face.distinct().count != face.count) return {};
        triangles += face.count == 3;
        faces.push_back(face);
    }
    const auto first_of = [&](std::size_t count) {
        return *std::find_if(faces.begin(), faces.end(), [&](const polygon& f) { return f.count == count; });
    };
    const std::size_t quadrilaterals = faces.size() - triangles;
    cell made;
    if (distinct.count == 6 && triangles == 2 && quadrilaterals == 3) {
        made.shape = cell_shape::prism;
        const polygon base = first_of(3);
        for (const std::size_t i : {0, 2, 1}) made.corners.add(base.point[i]);
        for (const std::size_t i : {0, 2, 1}) made.corners.add(across(faces, base, base.point[i]));
    } else if (triangles == 4 && quadrilaterals == distinct.count - 4 && distinct.count <= 5) {
        made.shape = quadrilaterals == 1 ? cell_shape::pyramid : cell_shape::tetrahedron;
        const polygon base = first_of(quadrilaterals == 1 ? 4 : 3);
        made.corners.add(base.point[0]);
        for (std::size_t i = base.count; i-- > 1;) made.corners.add(base.point[i]);
        for (std::size_t i = 0; i < distinct.count; ++i)
            if (!base.has(distinct.point[i])) made.corners.add(distinct.point[i]);
    }
    made.sound = made.corners.count == distinct.count && made.corners.distinct().count == distinct.count;
    return made;
}

cell solid_cell(const polygon& eight) {
    const polygon distinct = eight.distinct();
    if (distinct.count == 8) return {true, cell_shape::hexahedron, eight};
    return collapsed_solid(eight, distinct);
}

/// Calls use(first point of a cell) for all cells of a block.
template <class Use>
void for_cells(const structured_block& b, const Use& use) {
    for (index_t k = 0; k < b.cells_along(2); ++k)
        for (index_t j = 0; j < b.cells_along(1); ++j)
            for (index_t i = 0; i < b.cells_along(0); ++i) use(block_index{i, j, k});
}

index_t corner_of(const structured_block& b, const block_index& first, std::size_t corner) {
    const block_index& step = corner_steps[corner];
    return b.point({first[0] + step[0], first[1] + step[1], first[2] + step[2]});
}

/// The corners of a face of a side, in order round the face.
polygon face_of(const structured_block& b, std::size_t side, index_t face, int dimensions,
                const std::vector<std::int32_t>& number) {
    const auto [first, second] = structured_block::along(side);
    block_index low{};
    low[side / 2] = side % 2 == 0 ? 0 : b.points[side / 2] - 1;
    low[first] = face % b.cells_along(first);
    low[second] = face / b.cells_along(first);
    polygon p;
    for (std::size_t c = 0; c < (dimensions == 2 ? 2U : 4U); ++c) {
        block_index corner = low;
        corner[first] += corner_steps[c][0];
        corner[second] += corner_steps[c][1];
        p.add(number[at(b.point(corner))]);
    }
    return p;
}

/// Keeps the first one of points that are the same, and says the number that each point has then.
std::vector<std::int32_t> keep_one_of_each(base::disjoint_sets& same, std::vector<double>& points) {
    std::vector<std::int32_t> number(points.size() / 3);
    std::int32_t kept = 0;
    for (std::size_t p = 0; p < number.size(); ++p) {
        const std::size_t first = at(same.find(static_cast<index_t>(p)));
        number[p] = first == p ? kept++ : number[first];
        for (std::size_t d = 0; first == p && d < 3; ++d) points[3 * at(number[p]) + d] = points[3 * p + d];
    }
    points.resize(3 * at(kept));
    return number;
}

void add_faces(const structured_block& b, const std::vector<std::int32_t>& number, mesh_elements& e) {
    for (std::size_t side = 0; side < 6; ++side)
        for (std::size_t f = 0; f < b.patch[side].size(); ++f) {
            if (b.patch[side][f] < 0) continue;
            const polygon face = face_of(b, side, static_cast<index_t>(f), e.dimensions, number).collapsed();
            if (face.count < static_cast<std::size_t>(e.dimensions)) continue;  // of a pole
            mesh_elements::patch& p = e.patches[static_cast<std::size_t>(b.patch[side][f])];
            p.corners.insert(p.corners.end(), face.point.begin(), face.point.begin() + face.count);
            p.first_corner.push_back(std::ssize(p.corners));
        }
}

}  // namespace

void join_poles(const std::vector<structured_block>& blocks, const mesh_elements& e, double epsilon,
                base::disjoint_sets& same) {
    const bool flat = e.dimensions == 2;
    for (const structured_block& b : blocks)
        for_cells(b, [&](const block_index& first) {
            std::array<index_t, 8> corner{};
            for (std::size_t c = 0; c < (flat ? 4U : 8U); ++c) corner[c] = corner_of(b, first, c);
            std::array<double, 12> length{};
            std::array<double, 12> size{};
            const std::size_t count = flat ? 4 : 12;
            for (std::size_t k = 0; k < count; ++k)
                for (std::size_t d = 0; d < 3; ++d) {
                    const double a = e.points[3 * at(corner[edges[k][0]]) + d];
                    const double z = e.points[3 * at(corner[edges[k][1]]) + d];
                    length[k] = std::max(length[k], std::fabs(a - z));
                    size[k] = std::max({size[k], std::fabs(a), std::fabs(z)});
                }
            const double longest = *std::max_element(length.begin(), length.end());
            for (std::size_t k = 0; k < count; ++k)
                if (length[k] <= std::max(1e-10 * longest, 4 * epsilon * size[k]))
                    same.join(corner[edges[k][0]], corner[edges[k][1]]);
        });
}

void assemble_blocks(const std::vector<structured_block>& blocks, base::disjoint_sets& same, mesh_elements& e,
                     const std::function<void(const std::string&)>& refuse) {
    const std::vector<std::int32_t> number = keep_one_of_each(same, e.points);
    for (const structured_block& b : blocks)
        for_cells(b, [&](const block_index& first) {
            polygon corners;
            for (std::size_t c = 0; c < (e.dimensions == 2 ? 4U : 8U); ++c)
                corners.add(number[at(corner_of(b, first, c))]);
            const cell made = e.dimensions == 2 ? flat_cell(corners) : solid_cell(corners);
            if (!made.sound) {
                std::string place = std::to_string(first[0] + 1) + ", " + std::to_string(first[1] + 1);
                if (e.dimensions == 3) place += ", " + std::to_string(first[2] + 1);
                refuse("cell (" + place + ") of zone '" + b.name + "' has corners that fall together to " +
                       std::to_string(corners.distinct().count) + ", expected " +
                       (e.dimensions == 2 ? "a quadrilateral or triangle"
                                          : "a hexahedron, prism, pyramid or tetrahedron"));
            }
            e.shapes.push_back(made.shape);
            e.corners.insert(e.corners.end(), made.corners.point.begin(),
                             made.corners.point.begin() + made.corners.count);
            e.first_corner.push_back(std::ssize(e.corners));
        });
    for (const structured_block& b : blocks) add_faces(b, number, e);
}

}  // namespace wale::io
