// vec - places and area vectors in space.
#pragma once

#include <cmath>
#include <cstddef>

namespace wale::base {

struct vec {
    double x = 0, y = 0, z = 0;
};

[[nodiscard]] constexpr vec operator+(vec a, vec b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr vec operator-(vec a, vec b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr vec operator-(vec a) noexcept {
    return {-a.x, -a.y, -a.z};
}
[[nodiscard]] constexpr vec operator*(double f, vec a) noexcept {
    return {f * a.x, f * a.y, f * a.z};
}
[[nodiscard]] constexpr double dot(vec a, vec b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] constexpr vec cross(vec a, vec b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(vec a) noexcept {
    return std::sqrt(dot(a, a));
}

/// Vector i of an array [...][3].
[[nodiscard]] inline vec load(const double* array, std::ptrdiff_t i) noexcept {
    return {array[3 * i], array[3 * i + 1], array[3 * i + 2]};
}
inline void store(double* array, std::ptrdiff_t i, vec a) noexcept {
    array[3 * i] = a.x;
    array[3 * i + 1] = a.y;
    array[3 * i + 2] = a.z;
}

}  // namespace wale::base
