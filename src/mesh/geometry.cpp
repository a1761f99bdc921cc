// geometry - areas, volumes and centroids from corners.
//
// A face is cut into flat pieces: a segment or triangle is one; a quadrilateral is four triangles of half
// weight, two for each of its diagonals, so that a warped one is the same seen from both of its cells. A
// cell is the cones from its middle to its faces' pieces (the divergence theorem, piece by piece).
#include "mesh/geometry.hpp"

#include <algorithm>

namespace wale::meshes {
namespace {

struct piece {
    vec normal;
    vec centre;  // from the face's first corner
};

struct pieces {
    std::array<piece, 4> all;
    int count = 0;
    vec origin;  // the face's first corner
};

piece triangle(vec a, vec b, vec c, double weight) noexcept {
    return {(0.5 * weight) * cross(b - a, c - a), (1.0 / 3) * (a + b + c)};
}

pieces pieces_of(const face_key& f, const double* points) noexcept {
    pieces p;
    p.origin = load(points, f.corner[0]);
    std::array<vec, 4> q{};  // corners from the first one
    for (std::size_t k = 1; k < static_cast<std::size_t>(f.count); ++k)
        q[k] = load(points, f.corner[k]) - p.origin;
    if (f.count == 2) {
        p.all[0] = {{q[1].y, -q[1].x, 0}, 0.5 * q[1]};
        p.count = 1;
    } else if (f.count == 3) {
        p.all[0] = triangle(q[0], q[1], q[2], 1);
        p.count = 1;
    } else {
        p.all = {triangle(q[0], q[1], q[2], 0.5), triangle(q[0], q[2], q[3], 0.5),
                 triangle(q[1], q[2], q[3], 0.5), triangle(q[1], q[3], q[0], 0.5)};
        p.count = 4;
    }
    if (f.reversed)
        for (piece& one : p.all) one.normal = -one.normal;
    return p;
}

}  // namespace

face_key key_of(const std::int32_t* corners, int count) noexcept {
    face_key key;
    key.count = count;
    const int first = static_cast<int>(std::min_element(corners, corners + count) - corners);
    const auto from_first = [&](int k) { return corners[(first + k) % count]; };
    key.reversed = count == 2 ? first == 1 : from_first(1) > from_first(count - 1);
    for (int k = 0; k < count; ++k)
        key.corner[static_cast<std::size_t>(k)] = from_first(key.reversed ? (count - k) % count : k);
    return key;
}

face_key key_of(cell_shape s, int face, const std::int32_t* corners) noexcept {
    const face_corners f = corners_of_face(s, face);
    std::array<std::int32_t, 4> own{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(f.count); ++k) own[k] = corners[f.at[k]];
    return key_of(own.data(), f.count);
}

face_form form_of(const face_key& face, const double* points) noexcept {
    const pieces p = pieces_of(face, points);
    vec normal, centre;
    double area = 0;
    for (int k = 0; k < p.count; ++k) {
        const piece& one = p.all[static_cast<std::size_t>(k)];
        const double size = length(one.normal);
        normal = normal + one.normal;
        centre = centre + size * one.centre;
        area += size;
    }
    // A face shrunk to a line has no centroid but the middle of one of its pieces.
    return {normal, p.origin + (area > 0 ? (1 / area) * centre : p.all[0].centre)};
}

cell_form form_of(cell_shape s, const std::int32_t* corners, const double* points) noexcept {
    const int count = corners_of(s);
    const vec first = load(points, corners[0]);
    vec middle;
    for (int k = 1; k < count; ++k) middle = middle + (load(points, corners[k]) - first);
    middle = first + (1.0 / count) * middle;
    const double d = dimensions_of(s);
    double volume = 0;
    vec moment;  // of the cones' centroids, about the middle
    for (int f = 0; f < faces_of(s); ++f) {
        const pieces p = pieces_of(key_of(s, f, corners), points);
        for (int k = 0; k < p.count; ++k) {
            const piece& one = p.all[static_cast<std::size_t>(k)];
            const vec to_base = (p.origin - middle) + one.centre;
            const double cone = dot(to_base, one.normal) / d;
            volume += cone;
            moment = moment + (cone * d / (d + 1)) * to_base;
        }
    }
    return {volume, middle + (1 / volume) * moment};
}

}  // namespace wale::meshes
