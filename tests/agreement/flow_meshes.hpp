// flow_meshes - small meshes that several tests of flows share.
#pragma once

#include <string>
#include <utility>
#include <vector>
#include <wale/euler.hpp>
#include <wale/mesh_tools.hpp>

namespace wale::agreement {

[[nodiscard]] inline mesh shell(index_t size) {
    return generate_mesh({.kind = mesh_kind::shell, .size = size});
}

/// A distorted box of about `size` cells.
[[nodiscard]] inline mesh box(cell_shape shape, index_t size) {
    return generate_mesh({.kind = mesh_kind::box, .size = size, .shape = shape, .distortion = 0.2});
}

/// Every patch of one kind.
[[nodiscard]] inline euler_options with_all(const mesh& m, euler_boundary kind) {
    euler_options o;
    for (const std::string& p : m.patches) o.patches.push_back({p, kind});
    return o;
}

/// Triangles round a NACA 0012 of chord 1.
[[nodiscard]] inline mesh naca_0012(index_t around, index_t outward, double outer = 20) {
    return generate_mesh({.kind = mesh_kind::o_grid,
                          .shape = cell_shape::triangle,
                          .outer = outer,
                          .around = around,
                          .outward = outward});
}

/// A tetrahedron; faces of no patch are "unnamed": far field.
[[nodiscard]] inline mesh one_cell(std::vector<mesh_elements::patch> patches = {}) {
    mesh_elements e;
    e.points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    e.shapes = {cell_shape::tetrahedron};
    e.first_corner = {0, 4};
    e.corners = {0, 1, 2, 3};
    e.patches = std::move(patches);
    return build_mesh(e);
}

/// The first `cells` of a mesh, without places; faces to the others are of patch `edge`, new if there is
/// none.
[[nodiscard]] inline mesh first_cells(const mesh& m, index_t cells, const std::string& edge = "farfield") {
    const auto at = [](index_t i) { return static_cast<std::size_t>(i); };
    mesh part;
    part.patches = m.patches;
    if (part.patch(edge) < 0) part.patches.push_back(edge);
    const std::int32_t outside = -1 - part.patch(edge);
    for (index_t c = 0; c < cells; ++c) {
        for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c) + 1]; ++r) {
            const bool inside = m.neighbour[at(r)] < cells;
            part.neighbour.push_back(inside ? m.neighbour[at(r)] : outside);
            part.opposite.push_back(inside ? m.opposite[at(r)] : std::uint8_t{0});
            for (std::size_t d = 0; d < 3; ++d) part.normal.push_back(m.normal[3 * at(r) + d]);
        }
        part.first_face.push_back(part.rows());
        part.volume.push_back(m.volume[at(c)]);
    }
    return part;
}

}  // namespace wale::agreement
