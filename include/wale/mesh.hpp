// mesh - cells and the faces between them, as a finite-volume method sees them: volumes, area vectors,
// neighbours. Cells may have any number of faces. Where the corners are known, so is everything that a
// picture needs; a file such as fvcorr has none.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include <wale/layout.hpp>

namespace wale {

enum class cell_shape : std::uint8_t { triangle, quadrilateral, tetrahedron, pyramid, prism, hexahedron };
[[nodiscard]] const char* name_of(cell_shape s) noexcept;
[[nodiscard]] int corners_of(cell_shape s) noexcept;
[[nodiscard]] int faces_of(cell_shape s) noexcept;
[[nodiscard]] int dimensions_of(cell_shape s) noexcept;

/// The corners of face `face` of a cell, as places among the cell's corners (in VTK's order), in order round
/// the face. A tetrahedron's or triangle's face k is the one opposite corner k; others: docs/guide/meshes.md.
struct face_corners {
    int count = 0;
    std::array<std::int8_t, 4> at{};
};
[[nodiscard]] face_corners corners_of_face(cell_shape s, int face) noexcept;

/// Cells with faces. A cell's faces are rows first_face[c] <= r < first_face[c + 1]; a solver sums them in
/// this order, so that no renumbering of cells changes a bit.
struct mesh {
    int dimensions = 3;                   // 2: cells lie in z = 0 and are one deep
    std::vector<index_t> first_face{0};   // [cells + 1]
    std::vector<std::int32_t> neighbour;  // [rows] a cell, or -1 - patch
    std::vector<std::uint8_t> opposite;   // [rows] which of the neighbour's faces this one is; 0 at patches
    std::vector<double> normal;           // [rows][3] outward, as long as the face is large
    std::vector<double> volume;           // [cells]; areas in 2-D
    std::vector<std::string> patches;     // names of the boundary's parts
    /// What the normals of the file that it came from are to areas: genuine fvcorr files have 2. The
    /// published scheme computes with the file's.
    double normal_scale = 1;

    // What files without coordinates lack: empty then.
    std::vector<double> centre;         // [cells][3] centroids
    std::vector<double> face_offset;    // [rows][3] from the own cell's centroid to the face's
    std::vector<double> points;         // [points][3]
    std::vector<cell_shape> shapes;     // [cells]
    std::vector<index_t> first_corner;  // [cells + 1]
    std::vector<std::int32_t> corners;  // places in points, in VTK's order

    [[nodiscard]] index_t cells() const noexcept { return static_cast<index_t>(first_face.size()) - 1; }
    [[nodiscard]] index_t rows() const noexcept { return static_cast<index_t>(neighbour.size()); }
    [[nodiscard]] bool has_points() const noexcept { return !shapes.empty(); }
    [[nodiscard]] bool has_centres() const noexcept { return !centre.empty(); }
    /// The number of a patch; -1: there is none of this name.
    [[nodiscard]] int patch(const std::string& name) const noexcept;
};

/// A cell at row r's other side, or patch.
[[nodiscard]] constexpr bool is_patch(std::int32_t neighbour) noexcept {
    return neighbour < 0;
}
[[nodiscard]] constexpr int patch_of(std::int32_t neighbour) noexcept {
    return -1 - neighbour;
}

/// What mesh files and generators say: corners only.
struct mesh_elements {
    struct patch {
        std::string name;
        std::vector<index_t> first_corner{0};  // [elements + 1]
        std::vector<std::int32_t> corners;  // places in points: segments in 2-D, triangles or quadrilaterals
        std::vector<index_t> line{};        // of the file; empty: none
    };
    std::string name;  // of the file, for messages
    int dimensions = 3;
    std::vector<double> points;      // [points][3]
    std::vector<cell_shape> shapes;  // [cells]
    std::vector<index_t> first_corner{0};
    std::vector<std::int32_t> corners;
    std::vector<patch> patches;
    std::vector<index_t> line{};  // of the file, of each cell; empty: none
};

/// Finds faces and neighbours, areas, volumes and centroids (a quadrilateral face is two triangles from its
/// first corner, averaged over both diagonals). Faces that neither a second cell nor a patch claims make a
/// patch "unnamed". Throws bad_input with the file's line: a face of three cells, two cells on one
/// side of a face, a volume that is not positive (corners listed the wrong way round are turned where that
/// mends it), a patch's element that is no face, or one that two patches claim. O(rows) expected.
[[nodiscard]] mesh build_mesh(const mesh_elements& elements);

/// Makes neighbours of the faces of two patches that a translation carries into each other. Needs points.
/// Throws bad_input where a face finds no partner. The patches stay, without faces.
void join_periodic(mesh& m, const std::string& patch, const std::string& other);

}  // namespace wale
