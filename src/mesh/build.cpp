// build - from lists of corners to cells with faces: areas and volumes, then neighbours by lists of faces.
// Cells and points are shared by all threads; the first fault is that of a single thread.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>
#include <wale/error.hpp>
#include <wale/mesh.hpp>

#include "base/decimal_text.hpp"
#include "base/large_pages.hpp"
#include "mesh/faces_by_point.hpp"

namespace wale {
namespace meshes {
namespace {

std::string place(const mesh_elements& e, const std::vector<index_t>& lines, index_t i) {
    const std::string name = e.name.empty() ? "mesh" : e.name;
    return lines.empty() ? name : name + ":" + std::to_string(lines[static_cast<std::size_t>(i)]);
}

void demand(bool holds, const mesh_elements& e, const char* what) {
    if (!holds) throw bad_input(place(e, {}, 0) + ": " + what);
}

/// Offsets that begin at 0, do not fall and end with the list.
bool are_offsets(const std::vector<index_t>& first, std::size_t count, std::size_t end) {
    if (first.size() != count + 1 || first.front() != 0 || first.back() != static_cast<index_t>(end))
        return false;
    for (std::size_t i = 0; i < count; ++i)
        if (first[i + 1] < first[i]) return false;
    return true;
}

/// Why the corners are not `count` different points; empty if they are.
std::string defect(const std::int32_t* corners, index_t count, index_t points) {
    for (index_t a = 0; a < count; ++a) {
        if (corners[a] < 0 || corners[a] >= points)
            return "corner " + std::to_string(corners[a]) + ", expected a point from 0 to " +
                   std::to_string(points - 1);
        for (index_t b = 0; b < a; ++b)
            if (corners[a] == corners[b]) return "point " + std::to_string(corners[a]) + " is a corner twice";
    }
    return {};
}

void check_lists(const mesh_elements& e) {
    demand(e.dimensions == 2 || e.dimensions == 3, e, "dimensions: expected 2 or 3");
    demand(e.points.size() % 3 == 0, e, "points: expected three coordinates each");
    demand(are_offsets(e.first_corner, e.shapes.size(), e.corners.size()), e,
           "first_corner: does not fit the corners");
    demand(e.line.empty() || e.line.size() == e.shapes.size(), e, "line: does not fit the cells");
    demand(e.shapes.size() < std::numeric_limits<std::int32_t>::max(), e, "more than 2^31 - 2 cells");
    demand(e.points.size() / 3 < std::numeric_limits<std::int32_t>::max(), e, "more than 2^31 - 2 points");
    const auto bad =
        std::find_if_not(e.points.begin(), e.points.end(), [](double v) { return std::isfinite(v); });
    if (bad != e.points.end())
        throw bad_input(place(e, {}, 0) + ": point " + std::to_string((bad - e.points.begin()) / 3) +
                        ": a coordinate is not finite");
    for (const mesh_elements::patch& p : e.patches) {
        const std::size_t count = p.first_corner.size() - 1;
        demand(!p.first_corner.empty() && are_offsets(p.first_corner, count, p.corners.size()), e,
               "patch: first_corner does not fit the corners");
        demand(p.line.empty() || p.line.size() == count, e, "patch: line does not fit the elements");
    }
}

/// "name:line: cell 3" or, of a mesh that is in no file, "name: cell 3".
std::string place_of_cell(const mesh_elements& e, index_t cell) {
    return place(e, e.line, cell) + ": cell " + std::to_string(cell);
}

std::string place_of_element(const mesh_elements& e, const mesh_elements::patch& p, index_t element) {
    return place(e, p.line, element) + ": element " + std::to_string(element) + " of a patch";
}

/// Throws bad_input: lists that do not fit each other, corners that are no points or stand twice in a cell,
/// points that are not finite.
void check_elements(const mesh_elements& e) {
    check_lists(e);
    const auto points = static_cast<index_t>(e.points.size() / 3);
    const auto defect_of = [&](index_t c) {
        const auto cell = static_cast<std::size_t>(c);
        const index_t first = e.first_corner[cell], count = e.first_corner[cell + 1] - first;
        const cell_shape s = e.shapes[cell];
        if (dimensions_of(s) != e.dimensions || corners_of(s) != count)
            return std::string("a ") + name_of(s) + " with " + std::to_string(count) + " corners in " +
                   std::to_string(e.dimensions) + " dimensions";
        return defect(e.corners.data() + first, count, points);
    };
    const index_t bad = first_bad(std::ssize(e.shapes), [&](index_t c) { return !defect_of(c).empty(); });
    if (bad >= 0) throw bad_input(place_of_cell(e, bad) + ": " + defect_of(bad));
    const index_t least = e.dimensions == 2 ? 2 : 3, most = e.dimensions == 2 ? 2 : 4;
    for (const mesh_elements::patch& p : e.patches)
        for (index_t i = 0; i + 1 < std::ssize(p.first_corner); ++i) {
            const index_t first = p.first_corner[static_cast<std::size_t>(i)];
            const index_t count = p.first_corner[static_cast<std::size_t>(i + 1)] - first;
            const std::string why = count < least || count > most
                                        ? std::to_string(count) + " corners"
                                        : defect(p.corners.data() + first, count, points);
            if (!why.empty()) throw bad_input(place_of_element(e, p, i) + ": " + why);
        }
}

constexpr std::int32_t unclaimed = std::numeric_limits<std::int32_t>::min();
constexpr index_t no_face = std::numeric_limits<index_t>::max();

class builder {
public:
    explicit builder(const mesh_elements& elements) : e_(elements) {
        check_elements(e_);
        for (std::size_t i = 2; e_.dimensions == 2 && i < e_.points.size(); i += 3) e_.points[i] = 0;
    }

    mesh build() {
        m_.dimensions = e_.dimensions;
        count_rows();
        measure_cells();
        find_neighbours();
        m_.points = std::move(e_.points);
        m_.shapes = std::move(e_.shapes);
        m_.first_corner = std::move(e_.first_corner);
        m_.corners = std::move(e_.corners);
        return std::move(m_);
    }

private:
    static std::size_t at(index_t i) noexcept { return static_cast<std::size_t>(i); }
    [[nodiscard]] index_t row_of(face_id f) const { return m_.first_face[at(f.cell())] + f.face(); }
    [[nodiscard]] std::int32_t* corners(index_t cell) {
        return e_.corners.data() + e_.first_corner[at(cell)];
    }

    void count_rows() {
        for (const cell_shape s : e_.shapes) m_.first_face.push_back(m_.first_face.back() + faces_of(s));
        const std::size_t rows = at(m_.first_face.back());
        m_.neighbour.assign(rows, unclaimed);
        m_.opposite.assign(rows, 0);
        base::resize_in_large_pages(m_.normal, 3 * rows);
        base::resize_in_large_pages(m_.face_offset, 3 * rows);
        m_.volume.resize(e_.shapes.size());
        m_.centre.resize(3 * e_.shapes.size());
    }

    /// Lists the corners of a cell the other way round.
    void turn(index_t cell) {
        std::int32_t* c = corners(cell);
        switch (e_.shapes[at(cell)]) {
            case cell_shape::quadrilateral:
            case cell_shape::pyramid:
                std::swap(c[1], c[3]);
                break;
            case cell_shape::hexahedron:
                std::swap(c[5], c[7]), std::swap(c[1], c[3]);
                break;
            case cell_shape::prism:
                std::swap(c[4], c[5]), std::swap(c[1], c[2]);
                break;
            case cell_shape::triangle:
            case cell_shape::tetrahedron:
                std::swap(c[1], c[2]);
                break;
        }
    }

    void measure_cells() {
        const index_t bad = first_bad(m_.cells(), [&](index_t c) { return !(measure(c) > 0); });
        if (bad >= 0)
            throw bad_input(
                place_of_cell(e_, bad) + ": volume " +
                base::decimal_text(form_of(e_.shapes[at(bad)], corners(bad), e_.points.data()).volume) +
                ", expected more than 0");
    }
    /// The volume; where it is more than 0, the cell's numbers are set.
    double measure(index_t c) {
        const cell_shape s = e_.shapes[at(c)];
        cell_form form = form_of(s, corners(c), e_.points.data());
        if (form.volume < 0) {
            turn(c);
            form = form_of(s, corners(c), e_.points.data());
        }
        if (!(form.volume > 0)) return form.volume;
        m_.volume[at(c)] = form.volume;
        store(m_.centre.data(), c, form.centre);
        for (int f = 0; f < faces_of(s); ++f) {
            const face_form face = form_of(key_of(s, f, corners(c)), e_.points.data());
            store(m_.normal.data(), m_.first_face[at(c)] + f, face.normal);
            store(m_.face_offset.data(), m_.first_face[at(c)] + f, face.centre - form.centre);
        }
        return form.volume;
    }

    void find_neighbours() {
        faces_by_point faces(e_);
        std::atomic<index_t> worst{no_face};  // the first face that cannot be joined
        faces.sort([&](std::span<const faces_by_point::entry> equal) {
            if (equal.size() < 2) return;
            const auto& [own, other] = std::tie(equal[1], equal[0]);
            const bool crossed = own.key.reversed == other.key.reversed;
            if (!crossed) join(own.face, other.face);
            if (!crossed && equal.size() == 2) return;
            const index_t code = equal[crossed ? 1 : 2].face.code;
            for (index_t now = worst; code < now && !worst.compare_exchange_weak(now, code);) {
            }
        });
        if (worst != no_face) refuse_face({worst}, faces);
        for (const mesh_elements::patch& p : e_.patches) claim(p, faces);
        if (std::find(m_.neighbour.begin(), m_.neighbour.end(), unclaimed) == m_.neighbour.end()) return;
        m_.patches.emplace_back("unnamed");
        std::replace(m_.neighbour.begin(), m_.neighbour.end(), unclaimed,
                     -static_cast<std::int32_t>(m_.patches.size()));
    }

    void join(face_id own, face_id other) {
        for (const auto& [a, b] : {std::pair(own, other), std::pair(other, own)}) {
            m_.neighbour[at(row_of(a))] = static_cast<std::int32_t>(b.cell());
            m_.opposite[at(row_of(a))] = static_cast<std::uint8_t>(b.face());
        }
    }
    /// A face that a third cell has, or a second one on the same side: they overlap.
    [[noreturn]] void refuse_face(face_id own, const faces_by_point& faces) const {
        const face_id other = faces.find(faces.key_of(own));
        const bool third = m_.neighbour[at(row_of(other))] != unclaimed;
        throw bad_input(
            place_of_cell(e_, own.cell()) + ": face " + std::to_string(own.face()) +
            (third ? " is a third cell's, the first is cell " : " has the cell on the same side as cell ") +
            std::to_string(other.cell()));
    }

    void claim(const mesh_elements::patch& p, const faces_by_point& faces) {
        m_.patches.push_back(p.name);
        for (index_t i = 0; i + 1 < std::ssize(p.first_corner); ++i) {
            const index_t first = p.first_corner[at(i)];
            const auto count = static_cast<int>(p.first_corner[at(i + 1)] - first);
            const face_id face = faces.find(key_of(p.corners.data() + first, count));
            const auto refuse = [&](const std::string& what) {
                throw bad_input(place_of_element(e_, p, i) + ": " + what);
            };
            if (face.none()) refuse("is no face of a cell");
            std::int32_t& neighbour = m_.neighbour[at(row_of(face))];
            if (neighbour >= 0)
                refuse("lies between cells " + std::to_string(face.cell()) + " and " +
                       std::to_string(neighbour));
            if (neighbour != unclaimed) refuse("is claimed twice");
            neighbour = -static_cast<std::int32_t>(m_.patches.size());
        }
    }

    mesh_elements e_;
    mesh m_;
};

}  // namespace
}  // namespace meshes

mesh build_mesh(const mesh_elements& elements) {
    return meshes::builder(elements).build();
}

}  // namespace wale
