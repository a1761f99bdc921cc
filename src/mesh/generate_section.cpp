// generate_section - O- and C-grids round a NACA 4-digit section of chord 1.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <wale/error.hpp>

#include "mesh/generate.hpp"

namespace wale::meshes {
namespace {

constexpr double layers_a_cell_round =
    0.35;  // by which sizes become counts; cells are then nearly as high as wide

struct place {
    double x = 0, y = 0;
};

/// Camber, its position and the thickness, in chords (Jacobs, Ward, Pinkerton, NACA report 460, 1933); the
/// last coefficient of the thickness closes the trailing edge.
class naca_section {
public:
    explicit naca_section(const std::string& digits) {
        const auto digit = [&](std::size_t i) { return digits.size() == 4 ? digits[i] - '0' : -1; };
        bool good = true;
        for (std::size_t i = 0; i < 4; ++i) good = good && digit(i) >= 0 && digit(i) <= 9;
        const int percent = 10 * digit(2) + digit(3);
        if (!good || percent < 1 || percent > 40 || (digit(0) > 0) != (digit(1) > 0))
            throw bad_argument(
                "recipe.section: expected the four digits of a NACA section: camber and its position, "
                "both 0 or neither, and the thickness, 01 to 40");
        camber_ = digit(0) / 100.0;
        position_ = digit(1) / 10.0;
        thickness_ = percent / 100.0;
    }

    [[nodiscard]] double camber(double x) const noexcept {
        if (camber_ == 0) return 0;
        const double p = position_;
        return x < p ? camber_ / (p * p) * x * (2 * p - x)
                     : camber_ / ((1 - p) * (1 - p)) * (1 - x) * (1 - 2 * p + x);
    }

    /// On the upper or lower side of the camber's `x`, perpendicular to it.
    [[nodiscard]] place at(double x, bool upper) const noexcept {
        if (x == 0 || x == 1) return {x, 0};
        const double half =
            5 * thickness_ *
            (0.2969 * std::sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - x * 0.1036))));
        const double p = position_, part = x < p ? p : 1 - p;
        const double slope = camber_ == 0 ? 0 : 2 * camber_ * (p - x) / (part * part);
        const double shift = (upper ? half : -half) / std::sqrt(1 + slope * slope);
        return {x - slope * shift, camber(x) + shift};
    }

    /// Half of the nose's radius behind the nose, where a square root unfolds the plane.
    [[nodiscard]] place focus() const noexcept {
        const double x = 0.5 * 1.1019 * thickness_ * thickness_;
        return {x, camber(x)};
    }

private:
    double camber_ = 0, position_ = 0, thickness_ = 0;
};

/// `parts` steps from `start` to `goal`, each the same number of times, 1 or more, as long as the one before.
/// The first is `first`, or less where even steps are. `factors`: each is a part of the value that it begins
/// at.
std::vector<double> growing(double start, double goal, double first, index_t parts, bool factors) {
    const auto steps = [&](double step, double growth) {
        std::vector<double> all{start};
        for (index_t i = 0; i < parts; ++i, step *= growth)
            all.push_back(all.back() + step * (factors ? all.back() : 1));
        return all;
    };
    const bool even = steps(first, 1).back() >= goal;
    double low = even ? 0 : 1, high = even ? first : 1 + (goal - start) / first;
    for (int halvings = 0; halvings < 80; ++halvings) {
        const double middle = 0.5 * (low + high);
        ((even ? steps(middle, 1) : steps(first, middle)).back() < goal ? low : high) = middle;
    }
    std::vector<double> all = even ? steps(low, 1) : steps(first, low);
    all.back() = goal;
    return all;
}

/// sin and cos of 2 pi i / n by quarters of the circle: mirrored places are mirrored to the last bit.
place on_circle(index_t i, index_t n) {
    const index_t half = std::min(i, n - i);
    const auto sine = [n](index_t quarters) {
        return portable_sine(std::numbers::pi / 2 * static_cast<double>(quarters) / static_cast<double>(n));
    };
    const double y = sine(std::min(4 * half, 2 * n - 4 * half));
    return {sine(n - 4 * half), 2 * i <= n ? y : -y};
}

place product(place a, place b) noexcept {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
place quotient(place a, place b) noexcept {
    const double size = b.x * b.x + b.y * b.y;
    return {(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size};
}

/// The square root with x >= 0, by real roots alone: std::sqrt of complex numbers is not the same everywhere.
place root(place d) noexcept {
    const double size = std::sqrt(d.x * d.x + d.y * d.y);
    if (size == 0) return {0, 0};
    if (d.x >= 0) {
        const double u = std::sqrt(0.5 * (size + d.x));
        return {u, 0.5 * d.y / u};
    }
    const double v = std::sqrt(0.5 * (size - d.x));
    return {0.5 * std::abs(d.y) / v, d.y < 0 ? -v : v};
}

/// A square root of `d` that goes on where the outline passes before the root's branch or through it: to the
/// right above the outline, to the left below, up before it.
place unfolded(place d, bool upper) noexcept {
    const place u = root(d);
    const bool turned = d.x < 0 ? u.y < 0 : !upper;
    return turned ? place{-u.x, -u.y} : u;
}

/// w of 2 d = w + 1 / w, outside of the unit circle, but where the outline passes through the line from -1
/// to 1.
place rounded(place d, bool upper) noexcept {
    const place s = product(root({d.x - 1, d.y}), root({d.x + 1, d.y}));
    const place one{d.x + s.x, d.y + s.y}, other{d.x - s.x, d.y - s.y};
    const bool out = one.x * one.x + one.y * one.y >= other.x * other.x + other.y * other.y;
    const place w = out ? one : other;
    const bool through = std::abs(d.x) < 1 && (upper ? w.y < 0 : w.y > 0);
    return through ? quotient({1, 0}, w) : w;
}

/// Rows of points round the section, the first on it, and the cells between them.
class rounds {
public:
    explicit rounds(const mesh_recipe& r)
        : section_(r.section),
          around_(r.around),
          outward_(r.outward),
          outer_(r.outer),
          wake_(r.kind == mesh_kind::c_grid ? r.outward : 0) {
        d_.shape = r.shape;
        d_.patches = {"wall", "farfield"};
    }

    drawing draw() {
        wake_ == 0 ? place_ellipses() : place_parabolas();
        d_.base.points = std::ssize(d_.points) / 3;
        cut();
        for (index_t i = 0; i < around_; ++i) edge(wake_ + i, 0, wake_ + i + 1, 0, 0);
        for (index_t i = 0; i < columns(); ++i) edge(i, outward_, i + 1, outward_, 1);
        for (index_t j = 0; wake_ > 0 && j < outward_; ++j)
            for (const index_t i : {index_t{0}, columns()}) edge(i, j, i, j + 1, 1);
        return std::move(d_);
    }

private:
    [[nodiscard]] index_t columns() const noexcept { return around_ + 2 * wake_; }

    /// Of the point `i` round and `j` outwards. The last of a ring is the first; both sides of a wake are
    /// one.
    [[nodiscard]] std::int32_t point(index_t i, index_t j) const noexcept {
        if (wake_ == 0) return static_cast<std::int32_t>(j * around_ + i % around_);
        if (j == 0) return static_cast<std::int32_t>(i < wake_ + around_ ? i : columns() - i);
        return static_cast<std::int32_t>(wake_ + around_ + (j - 1) * (columns() + 1) + i);
    }

    /// Point `i` of the outline, from the trailing edge over the upper side: as an ellipse's points an
    /// O-grid's, denser at both ends; a C-grid's as evenly as parabolas, and half as far apart at the
    /// trailing edge.
    [[nodiscard]] place outline(index_t i) const {
        const bool upper = 2 * i <= around_;
        if (i == 0 || i == around_) return {1, 0};
        if (2 * i == around_) return {0, 0};
        if (wake_ == 0) return section_.at(0.5 * (1 + on_circle(i, around_).x), upper);
        const double s = static_cast<double>(around_ - 2 * i) / static_cast<double>(around_);
        const double u = s * (1.25 - 0.25 * s * s);
        return section_.at(u * u, upper);
    }

    /// Circles under w + 1 / w, which folds them to the line from the middle of the nose to the trailing
    /// edge; the outline lies near the unit circle, and fades outwards.
    void place_ellipses() {
        const place focus = section_.focus(), middle{0.5 * (1 + focus.x), 0.5 * focus.y},
                    half{1 - middle.x, -middle.y};
        const double q = outer_ / std::sqrt(half.x * half.x + half.y * half.y),
                     far = q + std::sqrt(q * q - 1);
        std::vector<place> round;
        for (index_t i = 0; i < around_; ++i) {
            const place s = outline(i);
            round.push_back(
                i == 0 ? place{1, 0}
                       : rounded(quotient({s.x - middle.x, s.y - middle.y}, half), 2 * i <= around_));
        }
        const std::vector<double> radius =
            growing(1, far, 2 * std::numbers::pi / static_cast<double>(around_), outward_, true);
        for (const double r : radius)
            for (index_t i = 0; i < around_; ++i) {
                const place w = round[static_cast<std::size_t>(i)];
                const double size = std::sqrt(w.x * w.x + w.y * w.y);
                const double more = 1 + (far / size - 1) * ((r - 1) / (far - 1));
                const place v{more * w.x, more * w.y}, back = quotient({1, 0}, v);
                const place z = product(half, {0.5 * (v.x + back.x), 0.5 * (v.y + back.y)});
                add(r == 1 ? outline(i) : place{middle.x + z.x, middle.y + z.y});
            }
    }

    /// Parabolas round the nose, by the square of lines; the outline and its wake fade outwards.
    void place_parabolas() {
        const place focus = section_.focus();
        const double first = 2 / static_cast<double>(around_), far = std::sqrt(outer_);
        const std::vector<double> wake = growing(1, outer_, first, wake_, false);
        const std::vector<double> height = growing(0, far, first, outward_, false);
        for (const double h : height)
            for (index_t i = 0; i <= columns(); ++i) {
                if (h == 0 && i >= wake_ + around_) continue;  // the upper side's points
                const bool upper = 2 * i <= columns();
                const index_t behind = std::max({wake_ - i, i - wake_ - around_, index_t{0}});
                const place s =
                    behind > 0 ? place{wake[static_cast<std::size_t>(behind)], 0} : outline(i - wake_);
                const place w = unfolded({s.x - focus.x, s.y - focus.y}, upper);
                const double v = w.y + (1 - w.y / far) * h;
                add(h == 0 ? s : place{focus.x + w.x * w.x - v * v, focus.y + 2 * w.x * v});
            }
    }

    void add(place p) { d_.points.insert(d_.points.end(), {p.x, p.y, 0.0}); }
    void edge(index_t i, index_t j, index_t next_i, index_t next_j, int patch) {
        d_.base.edges.push_back({point(i, j), point(next_i, next_j), patch});
    }

    /// A square's diagonal runs the other way than its neighbours', but where that makes a sliver and the
    /// other does not: at sharp edges squares may have a corner that points inwards.
    void cut() {
        d_.base.quadrilaterals = d_.shape == cell_shape::quadrilateral;
        std::vector<std::int32_t>& corners = d_.base.corners;
        for (index_t j = 0; j < outward_; ++j)
            for (index_t i = 0; i < columns(); ++i) {
                const std::int32_t a = point(i, j), b = point(i, j + 1), c = point(i + 1, j + 1),
                                   e = point(i + 1, j);
                if (d_.base.quadrilaterals) {
                    corners.insert(corners.end(), {a, b, c, e});
                    continue;
                }
                const double one = std::min(area(a, b, e), area(e, b, c)),
                             other = std::min(area(a, c, e), area(a, b, c));
                const bool takes_one = (i + j) % 2 == 0 ? one > 0.2 * other : other <= 0.2 * one;
                if (takes_one)
                    corners.insert(corners.end(), {a, b, e, e, b, c});
                else
                    corners.insert(corners.end(), {a, c, e, a, b, c});
            }
    }
    [[nodiscard]] double area(std::int32_t a, std::int32_t b, std::int32_t c) const {
        const auto d = [&](std::int32_t p, std::size_t axis) {
            return d_.points[3 * static_cast<std::size_t>(p) + axis] -
                   d_.points[3 * static_cast<std::size_t>(a) + axis];
        };
        return 0.5 * (d(b, 0) * d(c, 1) - d(c, 0) * d(b, 1));
    }

    naca_section section_;
    index_t around_, outward_;
    double outer_;
    index_t wake_;  // cells behind the trailing edge; 0: an O-grid
    drawing d_;
};

}  // namespace

mesh_recipe counted(mesh_recipe r) {
    if (!is_section(r.kind)) return r;
    const auto demand = [](bool holds, const char* what) {
        if (!holds) throw bad_argument(what);
    };
    const index_t a_square = r.shape == cell_shape::triangle ? 2 : 1;
    const auto squares = static_cast<double>(std::max<index_t>(r.size, 1) / a_square);
    constexpr double k = layers_a_cell_round;
    if (r.around == 0)
        r.around = std::max<index_t>(
            8,
            2 * std::llround(0.5 * std::sqrt(squares / (r.kind == mesh_kind::c_grid ? k + 2 * k * k : k))));
    demand(r.around >= 8 && r.around <= 1'000'000 && r.around % 2 == 0,
           "recipe.around: expected an even number from 8 to 1000000");
    if (r.outward == 0) r.outward = std::llround(k * static_cast<double>(r.around));
    demand(r.outward >= 1 && r.outward <= 1'000'000, "recipe.outward: expected 1 to 1000000");
    demand(r.outer >= 2, "recipe.outer: expected 2 chords or more round a section");
    demand(dimensions_of(r.shape) == 2, "recipe.shape: round a section are triangles or quadrilaterals");
    const index_t columns = r.around + (r.kind == mesh_kind::c_grid ? 2 * r.outward : 0);
    r.size = columns * r.outward * a_square;
    return r;
}

drawing draw_section(const mesh_recipe& recipe) {
    return rounds(recipe).draw();
}

}  // namespace wale::meshes
