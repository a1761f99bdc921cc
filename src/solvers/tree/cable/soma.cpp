// soma - the three ways in which files say that a soma is a ball: one point; three points, the outer ones a
// radius away from the first (NeuroMorpho.Org's standard); the outline as a closed chain. Any other soma is
// drawn by its points.
#include <algorithm>
#include <cmath>

#include "solvers/tree/cable/form.hpp"

namespace wale::tree {
namespace {

double distance(const swc_point& a, const swc_point& b) {
    return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

bool near(double a, double b) {
    return std::fabs(a - b) <= 0.1 * b;
}

bool is_three_points(const std::vector<swc_point>& points, const std::vector<std::size_t>& soma) {
    const swc_point& middle = points[0];
    return std::all_of(soma.begin() + 1, soma.end(), [&](std::size_t i) {
        return points[i].parent == 0 && near(points[i].radius, middle.radius) &&
               near(distance(points[i], middle), middle.radius);
    });
}

/// A chain of four or more whose ends are no farther apart than one and a half of its longest step.
bool is_contour(const std::vector<swc_point>& points, const std::vector<std::size_t>& soma) {
    double longest = 0;
    for (std::size_t k = 1; k < soma.size(); ++k) {
        if (points[soma[k]].parent != static_cast<std::int32_t>(soma[k - 1])) return false;
        longest = std::max(longest, distance(points[soma[k]], points[soma[k - 1]]));
    }
    return soma.size() >= 4 && distance(points[soma.front()], points[soma.back()]) <= 1.5 * longest;
}

/// Around the mean of the outline, with its mean distance from there.
void enclose(soma_form& s, const std::vector<swc_point>& points, const std::vector<std::size_t>& soma) {
    const auto count = static_cast<double>(soma.size());
    s.x = s.y = s.z = s.radius = 0;
    for (const std::size_t i : soma) {
        s.x += points[i].x / count;
        s.y += points[i].y / count;
        s.z += points[i].z / count;
    }
    for (const std::size_t i : soma)
        s.radius += std::hypot(points[i].x - s.x, points[i].y - s.y, points[i].z - s.z) / count;
}

}  // namespace

cable_region region_of(int type) {
    switch (type) {
        case swc_point::soma:
            return cable_region::soma;
        case swc_point::axon:
            return cable_region::axon;
        case swc_point::apical_dendrite:
            return cable_region::apical;
        default:
            return cable_region::dendrite;
    }
}

soma_form find_soma(const swc_tree& form) {
    const std::vector<swc_point>& points = form.points;
    soma_form out;
    out.merged.assign(points.size(), 0);
    std::vector<std::size_t> soma;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].type == swc_point::soma) soma.push_back(i);
    if (points.size() == 1) soma = {0};
    if (soma.empty() || soma.front() != 0) return out;
    out.x = points[0].x;
    out.y = points[0].y;
    out.z = points[0].z;
    out.radius = points[0].radius;
    if (soma.size() == 1 || (soma.size() == 3 && is_three_points(points, soma)))
        out.sphere = true;
    else if (is_contour(points, soma)) {
        out.sphere = true;
        enclose(out, points, soma);
    }
    if (!(out.radius > 0)) out.sphere = false;
    if (out.sphere)
        for (const std::size_t i : soma) out.merged[i] = 1;
    return out;
}

}  // namespace wale::tree
