// mesh_faces - cells of any number of faces, as OpenFOAM says them: faces, and the cells on both sides.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include <wale/mesh.hpp>

namespace wale {

/// Faces between two cells first, then those of the boundary, a patch behind the other. A face's corners go
/// round it, counterclockwise seen from where its normal leads: out of `owner`.
struct mesh_faces {
    struct patch {
        std::string name;
        std::size_t first = 0, faces = 0;  // of the list
    };
    std::string name;                           // for messages
    std::vector<double> points;                 // [points][3]
    std::vector<std::int32_t> first_corner{0};  // [faces + 1]
    std::vector<std::int32_t> corners;          // places in points
    std::vector<std::int32_t> owner;            // [faces]
    std::vector<std::int32_t> neighbour;        // [faces between cells]
    std::vector<patch> patches;
};

/// In 3-D. Where all cells are tetrahedra, pyramids, prisms and hexahedra, as build_mesh() of their corners;
/// else volumes, areas and centroids without corners. Throws bad_input: lists that do not fit each other,
/// cells that do not close, of fewer than 4 or more than 255 faces, or whose volume is not positive.
/// O(faces).
[[nodiscard]] mesh build_mesh_of_faces(const mesh_faces& faces);

}  // namespace wale
