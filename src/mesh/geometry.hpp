// geometry - areas, volumes and centroids from corners.
#pragma once

#include <array>
#include <cstdint>
#include <wale/mesh.hpp>

#include "base/vec.hpp"

namespace wale::meshes {

using base::load, base::vec;

/// A face's corners by their points, from the smallest number on and towards its smaller neighbour: the same
/// for both cells of a face, so that they compute the same to the last bit.
struct face_key {
    std::array<std::int32_t, 4> corner{-1, -1, -1, -1};
    int count = 0;
    bool reversed = false;  // against the cell's own sense
    friend bool operator==(const face_key& a, const face_key& b) noexcept { return a.corner == b.corner; }
};
/// `corners`: of the cell, places in points.
[[nodiscard]] face_key key_of(cell_shape s, int face, const std::int32_t* corners) noexcept;
/// Of a patch's element, corners in order round it.
[[nodiscard]] face_key key_of(const std::int32_t* corners, int count) noexcept;

struct face_form {
    vec normal;  // as long as the face is large, outward
    vec centre;  // centroid
};
/// `points`: [points][3].
[[nodiscard]] face_form form_of(const face_key& face, const double* points) noexcept;

struct cell_form {
    double volume = 0;  // negative where the corners are listed the other way round
    vec centre;         // centroid
};
[[nodiscard]] cell_form form_of(cell_shape s, const std::int32_t* corners, const double* points) noexcept;

}  // namespace wale::meshes
