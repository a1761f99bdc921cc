// vtk_types - VTK's numbers of cells, which SU2 uses too, and the corners of a mesh's faces.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <wale/mesh.hpp>

namespace wale::io {

[[nodiscard]] constexpr int vtk_type(cell_shape s) noexcept {
    constexpr std::array<int, 6> types{5, 9, 10, 14, 13, 12};
    return types[static_cast<std::size_t>(s)];
}
[[nodiscard]] constexpr std::optional<cell_shape> shape_of_vtk(std::int64_t type) noexcept {
    for (int i = 0; i < 6; ++i)
        if (vtk_type(static_cast<cell_shape>(i)) == type) return static_cast<cell_shape>(i);
    return std::nullopt;
}

/// Of a face with so many corners: a segment, a triangle or a quadrilateral.
[[nodiscard]] constexpr int vtk_face_type(int corners) noexcept {
    return corners == 2 ? 3 : corners == 3 ? 5 : 9;
}
/// 0: no type of a face.
[[nodiscard]] constexpr int corners_of_vtk_face(std::int64_t type) noexcept {
    return type == 3 ? 2 : type == 5 ? 3 : type == 9 ? 4 : 0;
}

/// The points round a face of a mesh that has points.
struct face_points {
    int count = 0;
    std::array<std::int32_t, 4> at{};
};
[[nodiscard]] inline face_points points_of_face(const mesh& m, index_t cell, index_t row) noexcept {
    const auto c = static_cast<std::size_t>(cell);
    const face_corners face = corners_of_face(m.shapes[c], static_cast<int>(row - m.first_face[c]));
    face_points out{face.count, {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(face.count); ++i)
        out.at[i] = m.corners[static_cast<std::size_t>(m.first_corner[c] + face.at[i])];
    return out;
}

}  // namespace wale::io
