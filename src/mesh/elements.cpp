// elements - whether lists of corners can be a mesh at all.
#include "mesh/elements.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <wale/error.hpp>

namespace wale::meshes {
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

}  // namespace

std::string place_of_cell(const mesh_elements& e, index_t cell) {
    return place(e, e.line, cell) + ": cell " + std::to_string(cell);
}

std::string place_of_element(const mesh_elements& e, const mesh_elements::patch& p, index_t element) {
    return place(e, p.line, element) + ": element " + std::to_string(element) + " of a patch";
}

void check_elements(const mesh_elements& e) {
    check_lists(e);
    const auto points = static_cast<index_t>(e.points.size() / 3);
    for (index_t c = 0; c < std::ssize(e.shapes); ++c) {
        const auto cell = static_cast<std::size_t>(c);
        const index_t first = e.first_corner[cell], count = e.first_corner[cell + 1] - first;
        const cell_shape s = e.shapes[cell];
        if (dimensions_of(s) != e.dimensions || corners_of(s) != count)
            throw bad_input(place_of_cell(e, c) + ": a " + name_of(s) + " with " + std::to_string(count) +
                            " corners in " + std::to_string(e.dimensions) + " dimensions");
        const std::string why = defect(e.corners.data() + first, count, points);
        if (!why.empty()) throw bad_input(place_of_cell(e, c) + ": " + why);
    }
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

}  // namespace wale::meshes
