// generate - what the recipes have in common: a flat mesh, drawn out through layers of points.
#pragma once

#include <string>
#include <vector>
#include <wale/mesh_tools.hpp>

namespace wale::meshes {

/// A mesh of triangles or quadrilaterals, in the plane or on a surface, without places.
struct footprint {
    index_t points = 0;
    bool quadrilaterals = false;
    std::vector<std::int32_t> corners;  // 3 or 4 of each cell, counterclockwise seen from the last layer
    struct edge {
        std::int32_t from, to;
        int patch;
    };
    std::vector<edge> edges;  // of the outline
    [[nodiscard]] int sides() const noexcept { return quadrilaterals ? 4 : 3; }
};

struct drawing {
    footprint base;
    int layers = 0;  // of cells; 0: the footprint itself, in 2-D
    cell_shape shape = cell_shape::triangle;
    std::vector<std::string> patches;
    int bottom = 0, top = 0;  // patches of the first and last layer
    /// [base.points][layers + 1][3]
    std::vector<double> points;
};

/// Cells one column after another. A prism becomes three tetrahedra, its sides cut from the smaller point's
/// bottom to the larger one's top: neighbours agree on it.
[[nodiscard]] mesh_elements elements_of(drawing&& d);

[[nodiscard]] drawing draw_shell(const mesh_recipe& recipe);
[[nodiscard]] drawing draw_channel(const mesh_recipe& recipe);
[[nodiscard]] drawing draw_section(const mesh_recipe& recipe);

[[nodiscard]] constexpr bool is_section(mesh_kind k) noexcept {
    return k == mesh_kind::o_grid || k == mesh_kind::c_grid;
}
/// With the cells round a section and outwards, and the size that they make. Throws bad_argument.
[[nodiscard]] mesh_recipe counted(mesh_recipe recipe);

/// sin by its series, |x| <= pi / 2: the same bits whatever the C library.
[[nodiscard]] double portable_sine(double x) noexcept;

}  // namespace wale::meshes
