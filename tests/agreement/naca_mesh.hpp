// naca_mesh - triangles between a NACA 0012 section of chord 1 and a circle: an O-grid on confocal ellipses.
#pragma once

#include <cmath>
#include <numbers>
#include <wale/mesh.hpp>

namespace wale::agreement {

/// `around` points round the section, `layers` of cells outwards to about `outer` chords; layers grow by a
/// constant factor from `first` in the ellipses' coordinate, in which the points are 2 pi / `around` apart.
[[nodiscard]] inline mesh naca_0012(int around, int layers, double first, double outer = 20) {
    mesh_elements e;
    e.dimensions = 2;
    const double whole = std::acosh(2 * outer);
    double low = 1 + 1e-6, high = 2;
    for (int i = 0; i < 60; ++i) {
        const double g = 0.5 * (low + high);
        (first * (std::pow(g, layers) - 1) / (g - 1) > whole ? high : low) = g;
    }
    double xi = 0, width = first;
    for (int j = 0; j <= layers; ++j, xi += width, width *= low)
        for (int i = 0; i < around; ++i) {
            const double t = 2 * std::numbers::pi * i / around, x = 0.5 * (1 + std::cos(t));
            // Half of the thickness (Jacobs and others, NACA report 460), closed at the trailing edge.
            double y =
                0.6 * (0.2969 * std::sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - x * 0.1036))));
            if (i == 0 || 2 * i == around) y = 0;
            const double side = t < std::numbers::pi ? 1 : -1;
            e.points.insert(e.points.end(),
                            {0.5 + 0.5 * std::cosh(xi) * std::cos(t),
                             0.5 * std::sinh(xi) * std::sin(t) + side * y * std::exp(-xi), 0.0});
        }
    const auto at = [&](int j, int i) { return static_cast<std::int32_t>(j * around + i % around); };
    const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t c) {
        e.shapes.push_back(cell_shape::triangle);
        e.corners.insert(e.corners.end(), {a, b, c});
        e.first_corner.push_back(static_cast<index_t>(e.corners.size()));
    };
    for (int j = 0; j < layers; ++j)
        for (int i = 0; i < around; ++i) {
            const bool turned = (i + j) % 2 == 0;
            add(at(j, i), at(j, i + 1), turned ? at(j + 1, i) : at(j + 1, i + 1));
            add(turned ? at(j, i + 1) : at(j, i), at(j + 1, i + 1), at(j + 1, i));
        }
    e.patches.resize(2);
    e.patches[0].name = "wall";
    e.patches[1].name = "farfield";
    for (std::size_t p = 0; p < 2; ++p)
        for (int i = 0; i < around; ++i) {
            const int layer = p == 0 ? 0 : layers;
            e.patches[p].corners.insert(e.patches[p].corners.end(), {at(layer, i), at(layer, i + 1)});
            e.patches[p].first_corner.push_back(static_cast<index_t>(e.patches[p].corners.size()));
        }
    return build_mesh(e);
}

}  // namespace wale::agreement
