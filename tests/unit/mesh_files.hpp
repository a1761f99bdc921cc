// mesh_files - small meshes and their texts, for the tests of mesh files.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <wale/mesh_tools.hpp>

#include "io/mesh_format.hpp"

namespace wale {

using record = std::array<std::string, 17>;

/// Two tetrahedra, the second on the first one's slanted face; normals twice the areas.
inline std::array<record, 2> two_cells() {
    return {{{"0.1666667E+00", "2", "1", "1", "1", "0", "-1", "0", "0", "-1", "0", "-1", "0", "-1", "0", "0",
              "-1"},
             {"0.3333333E+00", "1", "-1", "-1", "-1", "0", "-1", "1", "1", "0", "1", "-1", "1", "-2", "1",
              "1", "-1"}}};
}
inline std::string text_of(const std::array<record, 2>& cells) {
    std::string text = "2\n";
    for (const record& r : cells) {
        for (const std::string& word : r) text += " " + word;
        text += "\n";
    }
    return text;
}

inline std::string written(const mesh& m, mesh_format format) {
    std::string bytes;
    io::write_any_mesh(m, format, [&](std::string_view part) { bytes += part; });
    return bytes;
}

inline std::string mesh_message(const std::string& bytes, const mesh_file_options& options = {}) {
    try {
        (void)parse_mesh(bytes, "f", options);
    } catch (const bad_input& e) {
        return e.what();
    }
    return "";
}

/// Everything that a format without points says, bit for bit.
inline void expect_same_faces(const mesh& a, const mesh& b) {
    EXPECT_EQ(a.dimensions, b.dimensions);
    EXPECT_EQ(a.first_face, b.first_face);
    EXPECT_EQ(a.neighbour, b.neighbour);
    EXPECT_EQ(a.opposite, b.opposite);
    EXPECT_EQ(a.normal, b.normal);
    EXPECT_EQ(a.volume, b.volume);
    EXPECT_EQ(a.patches, b.patches);
    EXPECT_EQ(a.normal_scale, b.normal_scale);
}
inline void expect_same_mesh(const mesh& a, const mesh& b) {
    expect_same_faces(a, b);
    EXPECT_EQ(a.centre, b.centre);
    EXPECT_EQ(a.face_offset, b.face_offset);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.shapes, b.shapes);
    EXPECT_EQ(a.first_corner, b.first_corner);
    EXPECT_EQ(a.corners, b.corners);
}

}  // namespace wale
