// generate_shell - tetrahedra between an ellipsoid and a sphere: an octahedron's triangles on both, joined by
// layers that grow outwards.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/vec.hpp"
#include "cpu/poll.hpp"
#include "mesh/generate.hpp"

namespace wale::meshes {

using base::vec;

namespace {

constexpr double growth = 20;  // of a layer's height from the body to the far field

/// Each of the octahedron's edges in `edges` parts, that many squared triangles on each of its 8 sides.
struct shell_size {
    index_t edges = 1, layers = 1;
};

/// 24 edges^2 layers tetrahedra, as near to `size` as layers of half to one and a half times the number of
/// edges allow: cells are then about as high as wide.
shell_size size_for(index_t size) {
    shell_size best;
    const auto miss = [size](shell_size s) { return std::abs(24 * s.edges * s.edges * s.layers - size); };
    for (index_t n = 1; 12 * (n - 1) * (n - 1) * (n - 1) <= size; ++n) {
        const index_t fitting = (size + 12 * n * n) / (24 * n * n);
        const shell_size s{n, std::clamp(fitting, (n + 1) / 2, (3 * n + 1) / 2)};
        if (miss(s) < miss(best)) best = s;
    }
    return best;
}

/// Points in rings round the z axis: ring k of -n..n has 4 (n - |k|), the poles one.
class octahedron {
public:
    explicit octahedron(index_t edges) : n_(edges), first_{0} {
        for (index_t k = -n_; k <= n_; ++k) first_.push_back(first_.back() + ring_size(k));
    }
    [[nodiscard]] index_t points() const { return first_.back(); }

    /// Point `i` of quadrant q's arc of ring k; the arc's end is the next one's begin.
    [[nodiscard]] std::int32_t point(index_t k, index_t q, index_t i) const {
        const index_t arc = n_ - std::abs(k);
        return static_cast<std::int32_t>(first_[static_cast<std::size_t>(k + n_)] +
                                         (q * arc + i) % ring_size(k));
    }

    /// On the unit sphere. Arcs are cut evenly on the octahedron's edges, nearly so between them.
    [[nodiscard]] vec place(index_t k, index_t q, index_t i) const {
        const index_t arc = n_ - std::abs(k);
        const auto part = [this](index_t t) {
            return portable_sine(std::numbers::pi / 2 * static_cast<double>(t) / static_cast<double>(n_));
        };
        const double a = part(arc - i), b = part(i);
        const vec p = q == 0   ? vec{a, b, part(k)}
                      : q == 1 ? vec{-b, a, part(k)}
                      : q == 2 ? vec{-a, -b, part(k)}
                               : vec{b, -a, part(k)};
        return (1 / length(p)) * p;
    }

    /// Side by side of the octahedron, row by row.
    [[nodiscard]] std::vector<std::int32_t> triangles() const {
        std::vector<std::int32_t> all;
        for (const int half : {1, -1})
            for (index_t q = 0; q < 4; ++q)
                for (index_t k = 0; k < n_; ++k)
                    for (index_t i = 0; i < n_ - k; ++i) {
                        add(all, half,
                            {point(half * k, q, i), point(half * k, q, i + 1), point(half * (k + 1), q, i)});
                        if (i + 1 < n_ - k)
                            add(all, half,
                                {point(half * k, q, i + 1), point(half * (k + 1), q, i + 1),
                                 point(half * (k + 1), q, i)});
                    }
        return all;
    }

    template <class Visit>
    void each_point(const Visit& visit) const {
        for (index_t k = -n_; k <= n_; ++k) {
            const index_t arc = n_ - std::abs(k);
            for (index_t t = 0; t < ring_size(k); ++t, cpu::poll())
                visit(arc == 0 ? place(k, 0, 0) : place(k, t / arc, t % arc));
        }
    }

private:
    [[nodiscard]] index_t ring_size(index_t k) const { return std::max<index_t>(1, 4 * (n_ - std::abs(k))); }
    /// Counterclockwise seen from outside; the lower half is the upper one's image.
    static void add(std::vector<std::int32_t>& all, int half, std::array<std::int32_t, 3> t) {
        if (half < 0) std::swap(t[1], t[2]);
        all.insert(all.end(), t.begin(), t.end());
    }

    index_t n_;
    std::vector<index_t> first_;
};

double power(double base, index_t n) {
    double product = 1;
    for (index_t i = 0; i < n; ++i) product *= base;
    return product;
}

/// From 0 to 1, each layer `ratio` times as high as the one before it, `growth` over all of them.
std::vector<double> heights(index_t layers) {
    double low = 1, high = growth;
    for (int halvings = 0; halvings < 80; ++halvings) {
        const double ratio = 0.5 * (low + high);
        (power(ratio, layers) < growth ? low : high) = ratio;
    }
    std::vector<double> all{0};
    double step = 1;
    for (index_t l = 0; l < layers; ++l, step *= low) all.push_back(all.back() + step);
    for (double& h : all) h /= all.back();
    return all;
}

}  // namespace

drawing draw_shell(const mesh_recipe& recipe) {
    const shell_size size = size_for(recipe.size);
    const octahedron sphere(size.edges);
    drawing d;
    d.base.points = sphere.points();
    d.base.corners = sphere.triangles();
    d.layers = static_cast<int>(size.layers);
    d.shape = recipe.shape;
    d.patches = {"wall", "farfield"};
    d.bottom = 0;
    d.top = 1;
    const std::vector<double> height = heights(size.layers);
    sphere.each_point([&](vec p) {
        const vec body{p.x, recipe.thickness * p.y, p.z}, far = recipe.outer * p;
        for (const double h : height) {
            const vec at = body + h * (far - body);
            d.points.insert(d.points.end(), {at.x, at.y, at.z});
        }
    });
    return d;
}

}  // namespace wale::meshes
