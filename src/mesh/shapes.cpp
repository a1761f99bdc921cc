// shapes - what a cell of each shape is made of. Corners are numbered as VTK numbers them, faces as
// docs/guide/meshes.md draws them; a face's corners run counterclockwise seen from outside.
#include <wale/mesh.hpp>

namespace wale {
namespace {

struct shape {
    const char* name;
    int dimensions, corners, faces;
    std::array<face_corners, 6> face;
};

constexpr std::array<shape, 6> shapes{{
    {"triangle", 2, 3, 3, {{{2, {1, 2}}, {2, {2, 0}}, {2, {0, 1}}}}},
    {"quadrilateral", 2, 4, 4, {{{2, {0, 1}}, {2, {1, 2}}, {2, {2, 3}}, {2, {3, 0}}}}},
    {"tetrahedron", 3, 4, 4, {{{3, {1, 2, 3}}, {3, {0, 3, 2}}, {3, {0, 1, 3}}, {3, {0, 2, 1}}}}},
    {"pyramid",
     3,
     5,
     5,
     {{{4, {0, 3, 2, 1}}, {3, {0, 1, 4}}, {3, {1, 2, 4}}, {3, {2, 3, 4}}, {3, {3, 0, 4}}}}},
    {"prism",
     3,
     6,
     5,
     {{{3, {0, 2, 1}}, {3, {3, 4, 5}}, {4, {0, 1, 4, 3}}, {4, {1, 2, 5, 4}}, {4, {2, 0, 3, 5}}}}},
    {"hexahedron",
     3,
     8,
     6,
     {{{4, {0, 3, 2, 1}},
       {4, {4, 5, 6, 7}},
       {4, {0, 1, 5, 4}},
       {4, {1, 2, 6, 5}},
       {4, {2, 3, 7, 6}},
       {4, {3, 0, 4, 7}}}}},
}};

const shape& of(cell_shape s) noexcept {
    return shapes[static_cast<std::size_t>(s)];
}

}  // namespace

const char* name_of(cell_shape s) noexcept {
    return of(s).name;
}
int corners_of(cell_shape s) noexcept {
    return of(s).corners;
}
int faces_of(cell_shape s) noexcept {
    return of(s).faces;
}
int dimensions_of(cell_shape s) noexcept {
    return of(s).dimensions;
}
face_corners corners_of_face(cell_shape s, int face) noexcept {
    return of(s).face[static_cast<std::size_t>(face)];
}

int mesh::patch(const std::string& name) const noexcept {
    for (std::size_t p = 0; p < patches.size(); ++p)
        if (patches[p] == name) return static_cast<int>(p);
    return -1;
}

}  // namespace wale
