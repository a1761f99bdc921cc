// mesh_foam - OpenFOAM's polyMesh: a folder with points, faces, the cells on both sides of each face, and the
// boundary's parts; text or binary.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <wale/error.hpp>

#include "base/vec.hpp"
#include "io/foam_file.hpp"
#include "io/mesh_format.hpp"

namespace wale::io {
namespace {

using base::vec;

struct foam_patch {
    std::string name;
    std::size_t first = 0, faces = 0;
};

/// What the five files say, checked.
struct poly_mesh {
    std::vector<double> points;
    std::vector<std::int32_t> first_corner{0}, corners;  // of the faces
    std::vector<std::int32_t> owner, neighbour;
    std::vector<foam_patch> patches;
    std::size_t cells = 0;

    [[nodiscard]] std::size_t faces() const { return owner.size(); }
    [[nodiscard]] std::span<const std::int32_t> face(std::size_t f) const {
        return {corners.data() + first_corner[f], corners.data() + first_corner[f + 1]};
    }
};

void read_faces(foam_file& in, poly_mesh& m) {
    if (in.is_compact()) {
        m.first_corner = in.labels();
        m.corners = in.labels();
        if (m.first_corner.empty() || m.first_corner.front() != 0 ||
            !std::ranges::is_sorted(m.first_corner) ||
            static_cast<std::size_t>(m.first_corner.back()) != m.corners.size())
            in.refuse("the faces' offsets do not fit their points");
    } else {
        const std::size_t count = in.count(1);
        in.expect('(');
        for (std::size_t f = 0; f < count; ++f) {
            const std::size_t corners = in.count(1);
            in.expect('(');
            for (std::size_t c = 0; c < corners; ++c) m.corners.push_back(in.number<std::int32_t>());
            in.expect(')');
            m.first_corner.push_back(static_cast<std::int32_t>(m.corners.size()));
        }
        in.expect(')');
    }
    const auto points = static_cast<std::int32_t>(m.points.size() / 3);
    for (std::size_t f = 0; f + 1 < m.first_corner.size(); ++f) {
        const auto face = m.face(f);
        if (face.size() < 3) in.refuse("face " + std::to_string(f) + " has fewer than 3 points");
        for (const std::int32_t c : face)
            if (c < 0 || c >= points)
                in.refuse("face " + std::to_string(f) + ": point " + std::to_string(c) + ", expected 0 to " +
                          std::to_string(points - 1));
    }
}

void read_boundary(foam_file& in, poly_mesh& m) {
    const std::size_t count = in.count(1);
    in.expect('(');
    std::size_t next = m.neighbour.size();
    for (std::size_t p = 0; p < count; ++p) {
        foam_patch patch{.name = std::string(in.word())};
        in.expect('{');
        std::string_view type;
        for (std::string_view key = in.word(); key != "}"; key = in.word()) {
            if (key == "nFaces")
                patch.faces = in.number<std::uint32_t>();
            else if (key == "startFace")
                patch.first = in.number<std::uint32_t>();
            else if (key == "type")
                type = in.word();
            for (int depth = 0;;) {  // to the end of the entry
                const std::string_view one = in.word();
                depth += one == "(" || one == "{" ? 1 : one == ")" || one == "}" ? -1 : 0;
                if (one == ";" && depth <= 0) break;
            }
        }
        if (type.starts_with("processor"))
            in.refuse("patch " + io::quoted(patch.name) +
                      " is of a mesh cut in parts, expected it whole (reconstructParMesh)");
        if (patch.first != next || patch.faces > m.faces() - next)
            in.refuse("patch " + io::quoted(patch.name) + ": does not begin at face " + std::to_string(next) +
                      ", or has more faces than there are");
        next += patch.faces;
        m.patches.push_back(std::move(patch));
    }
    if (next != m.faces())
        in.refuse("the patches end at face " + std::to_string(next) + ", expected " +
                  std::to_string(m.faces()));
}

poly_mesh read_lists(const foam_texts& texts, const mesh_file_options& options) {
    static constexpr const char* names[] = {"points", "faces", "owner", "neighbour", "boundary"};
    const auto file = [&](std::size_t i) { return foam_file(texts.files[i], texts.folder + "/" + names[i]); };
    poly_mesh m;
    m.points = file(0).vectors();
    foam_file faces = file(1);
    read_faces(faces, m);
    foam_file owner = file(2), neighbour = file(3), boundary = file(4);
    m.owner = owner.labels();
    m.neighbour = neighbour.labels();
    if (m.owner.size() + 1 != m.first_corner.size())
        owner.refuse(std::to_string(m.owner.size()) + " faces, expected " +
                     std::to_string(m.first_corner.size() - 1));
    if (m.neighbour.size() > m.owner.size()) neighbour.refuse("has more faces than owner");
    for (const std::int32_t c : m.owner) m.cells = std::max(m.cells, static_cast<std::size_t>(c) + 1);
    for (std::size_t f = 0; f < m.neighbour.size(); ++f) {
        const auto other = static_cast<std::size_t>(m.neighbour[f]);
        if (other >= m.cells && other >= m.faces())
            neighbour.refuse("cell " + std::to_string(other) + ", expected fewer cells than faces");
        if (m.neighbour[f] == m.owner[f])
            neighbour.refuse("face " + std::to_string(f) + " has cell " + std::to_string(other) +
                             " on both sides");
        m.cells = std::max(m.cells, other + 1);
    }
    if (static_cast<index_t>(m.cells) > options.max_cells || m.cells > m.faces())
        owner.refuse(std::to_string(m.cells) + " cells, more than faces or than are allowed");
    read_boundary(boundary, m);
    return m;
}

/// A cell's faces in the order of the file.
struct cell_faces {
    std::vector<index_t> first;
    std::vector<std::size_t> face;
    explicit cell_faces(const poly_mesh& m) : first(m.cells + 1) {
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

/// The corners of a cell of one of the usual shapes: a face, and what each of its corners has opposite.
std::optional<std::pair<cell_shape, std::vector<std::int32_t>>> usual_cell(
    const poly_mesh& m, std::span<const std::size_t> faces) {
    const auto triangles = std::ranges::count_if(faces, [&](std::size_t f) { return m.face(f).size() == 3; });
    const auto quadrilaterals =
        std::ranges::count_if(faces, [&](std::size_t f) { return m.face(f).size() == 4; });
    struct form {
        cell_shape shape;
        std::ptrdiff_t triangles, quadrilaterals;
        std::size_t base, corners;
    };
    for (const form& s : {form{cell_shape::tetrahedron, 4, 0, 3, 4},
                          {cell_shape::pyramid, 4, 1, 4, 5},
                          {cell_shape::prism, 2, 3, 3, 6},
                          {cell_shape::hexahedron, 0, 6, 4, 8}}) {
        if (s.triangles != triangles || s.quadrilaterals != quadrilaterals ||
            triangles + quadrilaterals != std::ssize(faces))
            continue;
        const auto first =
            std::ranges::find_if(faces, [&](std::size_t f) { return m.face(f).size() == s.base; });
        const auto base = m.face(*first);
        std::vector<std::int32_t> corners(base.begin(), base.end()), up(base.size(), -1);
        for (const std::size_t f : faces)
            for (std::size_t i = 0; f != *first && i < m.face(f).size(); ++i)
                for (const auto& [a, b] : {std::pair{m.face(f)[i], m.face(f)[(i + 1) % m.face(f).size()]},
                                           std::pair{m.face(f)[(i + 1) % m.face(f).size()], m.face(f)[i]}})
                    if (const auto at = std::ranges::find(base, a);
                        at != base.end() && std::ranges::find(base, b) == base.end())
                        up[static_cast<std::size_t>(at - base.begin())] = b;
        if (std::ranges::find(up, -1) != up.end()) return {};
        if (s.corners == s.base + 1) up.resize(1);
        corners.insert(corners.end(), up.begin(), up.end());
        std::vector<std::int32_t> sorted = corners;
        std::ranges::sort(sorted);
        if (std::ranges::adjacent_find(sorted) != sorted.end()) return {};
        return std::pair{s.shape, corners};
    }
    return {};
}

/// Cells of the usual shapes, with their corners; nothing where a cell has another shape.
std::optional<mesh_elements> usual_elements(const poly_mesh& m, const cell_faces& rows,
                                            const std::string& name) {
    mesh_elements e;
    e.name = name;
    for (std::size_t c = 0; c < m.cells; ++c) {
        const auto cell = usual_cell(m, rows.of(c));
        if (!cell) return {};
        e.shapes.push_back(cell->first);
        e.corners.insert(e.corners.end(), cell->second.begin(), cell->second.end());
        e.first_corner.push_back(static_cast<index_t>(e.corners.size()));
    }
    e.points = m.points;
    for (const foam_patch& p : m.patches) {
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
polygon polygon_of(const poly_mesh& m, std::size_t f) {
    const auto face = m.face(f);
    vec mean, normal, centre;
    for (const std::int32_t c : face)
        mean = mean + (1.0 / static_cast<double>(face.size())) * base::load(m.points.data(), c);
    double area = 0;
    for (std::size_t i = 0; i < face.size(); ++i) {
        const vec a = base::load(m.points.data(), face[i]),
                  b = base::load(m.points.data(), face[(i + 1) % face.size()]);
        const vec part = 0.5 * base::cross(a - mean, b - mean);
        normal = normal + part;
        area += base::length(part);
        centre = centre + (base::length(part) / 3) * (a + b + mean);
    }
    return {normal, area > 0 ? (1 / area) * centre : mean};
}

/// Cells of any faces: areas, volumes and centroids, no corners.
mesh polyhedra(const poly_mesh& m, const cell_faces& rows, const std::string& name) {
    mesh out;
    out.first_face.assign(rows.first.begin(), rows.first.end());
    for (const foam_patch& p : m.patches) out.patches.push_back(p.name);
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
            const double part = base::dot(outward(f), forms[f].centre - inside) / 3;
            volume += part;
            centre = centre + part * (0.75 * forms[f].centre + 0.25 * inside);
            sum = sum + outward(f);
            size += base::length(outward(f));
        }
        if (!(volume > 0)) refuse(": volume " + std::to_string(volume) + ", expected more than 0");
        if (!(base::length(sum) <= 1e-8 * size)) refuse(" is open: its faces do not close");
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

mesh parse_foam(const foam_texts& texts, const mesh_file_options& options) {
    const poly_mesh m = read_lists(texts, options);
    const cell_faces rows(m);
    if (const auto elements = usual_elements(m, rows, texts.folder)) return build_mesh(*elements);
    return polyhedra(m, rows, texts.folder);
}

mesh read_foam(const std::string& folder, const mesh_file_options& options) {
    if (options.format != mesh_format::automatic)
        throw bad_input(escaped(folder) + ": is a folder, expected a file of " + name_of(options.format));
    std::filesystem::path at(folder);
    for (const char* inner : {"constant/polyMesh", "polyMesh"})
        if (std::error_code none; std::filesystem::is_directory(at / inner, none)) {
            at /= inner;
            break;
        }
    std::array<std::string, 5> texts;
    foam_texts views{.folder = escaped(at.string()), .files = {}};
    std::size_t i = 0;
    for (const char* name : {"points", "faces", "owner", "neighbour", "boundary"}) {
        constexpr index_t most_bytes = index_t{1} << 40;
        texts[i] = parse_source((at / name).string(), most_bytes, [](std::string_view) { return true; },
                                [](const byte_source& bytes, const std::string& shown) {
                                    return all_bytes(bytes, shown, most_bytes);
                                });
        views.files[i] = texts[i];
        ++i;
    }
    return parse_foam(views, options);
}

}  // namespace wale::io
