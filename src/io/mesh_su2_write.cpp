// mesh_su2_write - cells, points and the faces of patches, with as many digits as they need.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <wale/error.hpp>

#include "io/escape.hpp"
#include "io/mesh_format.hpp"
#include "io/vtk_types.hpp"

namespace wale::io {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Whether a face and its opposite face are the same face, and not two that a period joins.
bool is_one_face(const mesh& m, index_t cell, index_t row) {
    const index_t other = m.neighbour[at(row)];
    face_points a = points_of_face(m, cell, row);
    face_points b = points_of_face(m, other, m.first_face[at(other)] + m.opposite[at(row)]);
    std::sort(a.at.begin(), a.at.end());
    std::sort(b.at.begin(), b.at.end());
    return a.count == b.count && a.at == b.at;
}

void check(const mesh& m) {
    const auto refuse = [](const std::string& why) { throw bad_argument("mesh: " + why); };
    if (!m.has_points() && m.cells() > 0) refuse("has no points, expected corners of cells");
    for (const double x : m.points)
        if (!std::isfinite(x)) refuse("has a point that is not finite");
    for (const std::string& name : m.patches)
        if (name.empty() || name == "SEND_RECEIVE" || name.find_first_of(" \t\r\n%=") != std::string::npos)
            refuse("has a patch " + quoted(name) + ", expected a name of one word");
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c + 1)]; ++r)
            if (!is_patch(m.neighbour[at(r)]) && !is_one_face(m, c, r))
                refuse("has faces joined by a period (of cell " + std::to_string(c) +
                       "), which SU2 meshes cannot say");
}

void append(std::string& line, std::int32_t point) {
    line += ' ';
    line += std::to_string(point);
}

void write_cells(const mesh& m, const mesh_sink& sink) {
    sink("NELEM= " + std::to_string(m.cells()) + "\n");
    std::string line;
    for (index_t c = 0; c < m.cells(); ++c) {
        line = std::to_string(vtk_type(m.shapes[at(c)]));
        for (index_t i = m.first_corner[at(c)]; i < m.first_corner[at(c + 1)]; ++i)
            append(line, m.corners[at(i)]);
        sink(line + "\n");
    }
}

void write_points(const mesh& m, const mesh_sink& sink) {
    const index_t points = std::ssize(m.points) / 3;
    sink("NPOIN= " + std::to_string(points) + "\n");
    std::string line;
    char digits[32];
    for (index_t p = 0; p < points; ++p) {
        line.clear();
        for (index_t d = 0; d < m.dimensions; ++d) {
            if (d > 0) line += ' ';
            line.append(digits, std::to_chars(digits, digits + sizeof digits, m.points[at(3 * p + d)]).ptr);
        }
        sink(line + "\n");
    }
}

/// The rows of each patch, in the order of the cells.
void write_markers(const mesh& m, const mesh_sink& sink) {
    std::vector<std::string> lines(m.patches.size());
    std::vector<index_t> count(m.patches.size());
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c + 1)]; ++r) {
            if (!is_patch(m.neighbour[at(r)])) continue;
            const std::size_t patch = at(patch_of(m.neighbour[at(r)]));
            const face_points face = points_of_face(m, c, r);
            lines[patch] += std::to_string(vtk_face_type(face.count));
            for (int i = 0; i < face.count; ++i) append(lines[patch], face.at[at(i)]);
            lines[patch] += '\n';
            ++count[patch];
        }
    sink("NMARK= " + std::to_string(m.patches.size()) + "\n");
    for (std::size_t p = 0; p < m.patches.size(); ++p) {
        sink("MARKER_TAG= " + m.patches[p] + "\nMARKER_ELEMS= " + std::to_string(count[p]) + "\n");
        sink(lines[p]);
    }
}

}  // namespace

void write_su2(const mesh& m, const mesh_sink& sink) {
    check(m);
    sink("NDIME= " + std::to_string(m.dimensions) + "\n");
    write_cells(m, sink);
    write_points(m, sink);
    write_markers(m, sink);
}

}  // namespace wale::io
