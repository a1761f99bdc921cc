// faces - from faces and the cells on both sides to cells: of the usual shapes by their corners, others by
// areas, volumes and centroids alone.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <wale/error.hpp>
#include <wale/mesh_faces.hpp>

#include "base/decimal_text.hpp"
#include "base/vec.hpp"
#include "mesh/shares.hpp"

namespace wale {
namespace meshes {

using base::load, base::vec;

namespace {

/// The lists, checked.
struct face_lists : mesh_faces {
    std::size_t cells = 0;

    explicit face_lists(const mesh_faces& from) : mesh_faces(from) {
        const auto demand = [&](bool good, const char* what) {
            if (!good) throw bad_input((name.empty() ? "mesh" : name) + ": " + what);
        };
        demand(points.size() % 3 == 0, "points: expected three coordinates each");
        demand(first_corner.size() == owner.size() + 1 && first_corner.front() == 0 &&
                   std::ranges::is_sorted(first_corner) &&
                   static_cast<std::size_t>(first_corner.back()) == corners.size(),
               "first_corner: does not fit the corners");
        demand(neighbour.size() <= owner.size(), "neighbour: has more faces than owner");
        const auto places = static_cast<std::int32_t>(points.size() / 3);
        demand(std::ranges::all_of(corners, [&](std::int32_t c) { return c >= 0 && c < places; }),
               "corners: expected places in points");
        for (std::size_t f = 0; f < owner.size(); ++f) {
            demand(face(f).size() >= 3, "a face has fewer than 3 corners");
            for (const std::int32_t c : {owner[f], f < neighbour.size() ? neighbour[f] : owner[f]}) {
                demand(c >= 0 && static_cast<std::size_t>(c) < owner.size(),
                       "expected fewer cells than faces");
                cells = std::max(cells, static_cast<std::size_t>(c) + 1);
            }
            demand(f >= neighbour.size() || neighbour[f] != owner[f], "a face has one cell on both sides");
        }
        std::size_t next = neighbour.size();
        for (const patch& p : patches) {
            demand(p.first == next && p.faces <= owner.size() - next, "patches: do not follow each other");
            next += p.faces;
        }
        demand(next == owner.size(), "patches: do not have all faces of the boundary");
    }
    [[nodiscard]] std::size_t faces() const { return owner.size(); }
    [[nodiscard]] std::span<const std::int32_t> face(std::size_t f) const {
        return {corners.data() + first_corner[f], corners.data() + first_corner[f + 1]};
    }
};

/// A cell's faces in the order of the file.
struct cell_faces {
    std::vector<index_t> first;
    std::vector<std::size_t> face;
    explicit cell_faces(const face_lists& m) : first(m.cells + 1) {
        for (const auto* side : {&m.owner, &m.neighbour})
            for (const std::int32_t c : *side) ++first[static_cast<std::size_t>(c) + 1];
        for (std::size_t c = 0; c < m.cells; ++c) first[c + 1] += first[c];
        face.resize(static_cast<std::size_t>(first.back()));
        std::vector<index_t> at(first.begin(), first.end() - 1);
        for (std::size_t f = 0; f < m.faces(); ++f) {
            face[static_cast<std::size_t>(at[static_cast<std::size_t>(m.owner[f])]++)] = f;
            if (f < m.neighbour.size())
                face[static_cast<std::size_t>(at[static_cast<std::size_t>(m.neighbour[f])]++)] = f;
        }
    }
    [[nodiscard]] std::span<const std::size_t> of(std::size_t cell) const {
        return {face.data() + first[cell], face.data() + first[cell + 1]};
    }
};

struct usual_form {
    cell_shape shape;
    std::ptrdiff_t triangles, quadrilaterals;
    std::size_t base, corners;
};
constexpr usual_form usual_forms[] = {{cell_shape::tetrahedron, 4, 0, 3, 4},
                                      {cell_shape::pyramid, 4, 1, 4, 5},
                                      {cell_shape::prism, 2, 3, 3, 6},
                                      {cell_shape::hexahedron, 0, 6, 4, 8}};

/// A cell of one of the usual shapes.
struct usual_cell {
    const usual_form* form = nullptr;  // null: it has another shape
    std::array<std::int32_t, 8> corner{};
};

/// The corners: a face, and what each of its corners has opposite.
usual_cell usual_cell_of(const face_lists& m, std::span<const std::size_t> faces) {
    const auto with = [&](std::size_t corners) {
        return std::ranges::count_if(faces, [&](std::size_t f) { return m.face(f).size() == corners; });
    };
    const auto triangles = with(3), quadrilaterals = with(4);
    const auto* const form = std::ranges::find_if(usual_forms, [&](const usual_form& s) {
        return s.triangles == triangles && s.quadrilaterals == quadrilaterals;
    });
    if (form == std::end(usual_forms) || triangles + quadrilaterals != std::ssize(faces)) return {};
    const auto first =
        std::ranges::find_if(faces, [&](std::size_t f) { return m.face(f).size() == form->base; });
    const auto base = m.face(*first);
    std::array<std::int32_t, 4> up{-1, -1, -1, -1};
    const auto rise = [&](std::int32_t from, std::int32_t to) {
        const auto at = std::ranges::find(base, from);
        if (at != base.end() && std::ranges::find(base, to) == base.end())
            up[static_cast<std::size_t>(at - base.begin())] = to;
    };
    for (const std::size_t f : faces)
        for (std::size_t i = 0; f != *first && i < m.face(f).size(); ++i) {
            const std::int32_t one = m.face(f)[i], next = m.face(f)[(i + 1) % m.face(f).size()];
            rise(one, next);
            rise(next, one);
        }
    if (std::find(up.begin(), up.begin() + std::ssize(base), -1) != up.begin() + std::ssize(base)) return {};
    usual_cell cell{form};
    std::ranges::copy(base, cell.corner.begin());
    std::copy_n(up.begin(), form->corners - form->base, cell.corner.begin() + std::ssize(base));
    for (std::size_t i = 1; i < form->corners; ++i)
        if (std::ranges::count(cell.corner.data(), cell.corner.data() + i, cell.corner[i]) > 0) return {};
    return cell;
}

/// Cells of the usual shapes, with their corners; nothing where a cell has another shape.
std::optional<mesh_elements> usual_elements(const face_lists& m, const cell_faces& rows,
                                            const std::string& name) {
    std::vector<usual_cell> cells(m.cells);
    const index_t other = first_bad(std::ssize(cells), [&](index_t c) {
        const auto cell = static_cast<std::size_t>(c);
        return (cells[cell] = usual_cell_of(m, rows.of(cell))).form == nullptr;
    });
    if (other >= 0) return {};
    mesh_elements e;
    e.name = name;
    for (const usual_cell& cell : cells) {
        e.shapes.push_back(cell.form->shape);
        e.corners.insert(e.corners.end(), cell.corner.begin(),
                         cell.corner.begin() + static_cast<std::ptrdiff_t>(cell.form->corners));
        e.first_corner.push_back(std::ssize(e.corners));
    }
    e.points = m.points;
    for (const mesh_faces::patch& p : m.patches) {
        mesh_elements::patch& to = e.patches.emplace_back();
        to.name = p.name;
        for (std::size_t f = p.first; f < p.first + p.faces; ++f) {
            to.corners.insert(to.corners.end(), m.face(f).begin(), m.face(f).end());
            to.first_corner.push_back(static_cast<index_t>(to.corners.size()));
        }
    }
    return e;
}

struct polygon {
    vec normal, centre;  // centre: by the areas of triangles round the mean of the corners
};
polygon polygon_of(const face_lists& m, std::size_t f) {
    const auto face = m.face(f);
    vec mean, normal, centre;
    for (const std::int32_t c : face)
        mean = mean + (1.0 / static_cast<double>(face.size())) * load(m.points.data(), c);
    double area = 0;
    for (std::size_t i = 0; i < face.size(); ++i) {
        const vec a = load(m.points.data(), face[i]), b = load(m.points.data(), face[(i + 1) % face.size()]);
        const vec part = 0.5 * cross(a - mean, b - mean);
        normal = normal + part;
        area += length(part);
        centre = centre + (length(part) / 3) * (a + b + mean);
    }
    return {normal, area > 0 ? (1 / area) * centre : mean};
}

/// Cells of any faces: areas, volumes and centroids, no corners.
mesh polyhedra(const face_lists& m, const cell_faces& rows, const std::string& name) {
    mesh out;
    out.first_face.assign(rows.first.begin(), rows.first.end());
    for (const mesh_faces::patch& p : m.patches) out.patches.push_back(p.name);
    std::vector<polygon> forms;
    std::vector<std::int32_t> behind(m.faces());
    for (std::size_t f = 0; f < m.faces(); ++f) forms.push_back(polygon_of(m, f));
    for (std::size_t p = 0; p < m.patches.size(); ++p)
        std::fill_n(behind.begin() + static_cast<std::ptrdiff_t>(m.patches[p].first), m.patches[p].faces,
                    -1 - static_cast<std::int32_t>(p));
    std::vector<std::array<std::uint8_t, 2>> place(m.faces());  // among the faces of the owner, the neighbour
    for (std::size_t c = 0; c < m.cells; ++c) {
        const auto faces = rows.of(c);
        const auto refuse = [&](const std::string& what) {
            throw bad_input(name + ": cell " + std::to_string(c) + what);
        };
        if (faces.size() < 4 || faces.size() > 255)
            refuse(" has " + std::to_string(faces.size()) + " faces, expected 4 to 255");
        vec inside, sum, centre;
        double volume = 0, size = 0;
        for (const std::size_t f : faces)
            inside = inside + (1.0 / static_cast<double>(faces.size())) * forms[f].centre;
        const auto outward = [&](std::size_t f) {
            return static_cast<std::size_t>(m.owner[f]) == c ? forms[f].normal : -forms[f].normal;
        };
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const std::size_t f = faces[i];
            place[f][static_cast<std::size_t>(m.owner[f]) == c ? 0 : 1] = static_cast<std::uint8_t>(i);
            const double part = dot(outward(f), forms[f].centre - inside) / 3;
            volume += part;
            centre = centre + part * (0.75 * forms[f].centre + 0.25 * inside);
            sum = sum + outward(f);
            size += length(outward(f));
        }
        if (!(volume > 0)) refuse(": volume " + base::decimal_text(volume) + ", expected more than 0");
        if (!(length(sum) <= 1e-8 * size)) refuse(" is open: its faces do not close");
        centre = (1 / volume) * centre;
        out.volume.push_back(volume);
        for (const double v : {centre.x, centre.y, centre.z}) out.centre.push_back(v);
        for (const std::size_t f : faces) {
            const vec n = outward(f), x = forms[f].centre - centre;
            for (const double v : {n.x, n.y, n.z}) out.normal.push_back(v);
            for (const double v : {x.x, x.y, x.z}) out.face_offset.push_back(v);
            const bool owns = static_cast<std::size_t>(m.owner[f]) == c;
            out.neighbour.push_back(f >= m.neighbour.size() ? behind[f] : owns ? m.neighbour[f] : m.owner[f]);
        }
    }
    for (std::size_t c = 0; c < m.cells; ++c)
        for (const std::size_t f : rows.of(c))
            out.opposite.push_back(f >= m.neighbour.size()
                                       ? std::uint8_t{0}
                                       : place[f][static_cast<std::size_t>(m.owner[f]) == c ? 1 : 0]);
    return out;
}

}  // namespace
}  // namespace meshes

mesh build_mesh_of_faces(const mesh_faces& faces) {
    const meshes::face_lists m(faces);
    const meshes::cell_faces rows(m);
    const std::string name = faces.name.empty() ? "mesh" : faces.name;
    if (const auto elements = meshes::usual_elements(m, rows, name)) return build_mesh(*elements);
    return meshes::polyhedra(m, rows, name);
}

}  // namespace wale
