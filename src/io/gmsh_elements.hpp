// gmsh_elements - the types of Gmsh's elements, and lists of elements in the order of a file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>
#include <wale/mesh.hpp>

namespace wale::io {

struct element_type {
    int number, dimensions, corners;
    cell_shape shape;  // of lines and points: not used
};
inline constexpr std::array<element_type, 8> element_types{{{1, 1, 2, cell_shape::triangle},
                                                            {2, 2, 3, cell_shape::triangle},
                                                            {3, 2, 4, cell_shape::quadrilateral},
                                                            {4, 3, 4, cell_shape::tetrahedron},
                                                            {5, 3, 8, cell_shape::hexahedron},
                                                            {6, 3, 6, cell_shape::prism},
                                                            {7, 3, 5, cell_shape::pyramid},
                                                            {15, 0, 1, cell_shape::triangle}}};

/// Elements of one dimension, in the order of the file.
struct element_list {
    std::vector<cell_shape> shapes;
    std::vector<index_t> first_corner{0};
    std::vector<std::int32_t> corners;
    std::vector<std::int32_t> group;  // physical; 0: none
    std::vector<index_t> line;        // empty: the file is binary
};

/// Behind those of a list; `line` is what the lines of `more` count from.
inline void append(element_list& to, const element_list& more, index_t line) {
    const index_t corners = std::ssize(to.corners);
    to.corners.insert(to.corners.end(), more.corners.begin(), more.corners.end());
    for (std::size_t i = 1; i < more.first_corner.size(); ++i)
        to.first_corner.push_back(corners + more.first_corner[i]);
    to.shapes.insert(to.shapes.end(), more.shapes.begin(), more.shapes.end());
    to.group.insert(to.group.end(), more.group.begin(), more.group.end());
    for (const index_t l : more.line) to.line.push_back(line + l);
}

/// Format 2.2 repeats an element for each of its groups, of which the first one counts.
inline void drop_repeated(element_list& list) {
    const std::size_t n = list.shapes.size();
    if (n < 2) return;
    const auto one = list.corners.begin() + list.first_corner[n - 2];
    const auto last = list.corners.begin() + list.first_corner[n - 1];
    if (!std::equal(one, last, last, list.corners.end())) return;
    list.corners.erase(last, list.corners.end());
    list.first_corner.pop_back();
    list.shapes.pop_back();
    list.group.pop_back();
    if (!list.line.empty()) list.line.pop_back();
}

}  // namespace wale::io
