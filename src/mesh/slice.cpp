// slice - cells cut by a plane: each becomes a convex polygon, whose pixels take the cell's value.
#include <algorithm>
#include <cmath>
#include <wale/error.hpp>
#include <wale/flow_picture.hpp>

#include "base/argument.hpp"

namespace wale {
namespace {

using point = std::array<double, 3>;
struct flat_point {
    double x, y;
};

struct box {
    double left = 1e300, right = -1e300, bottom = 1e300, top = -1e300;
    void add(double x, double y) {
        left = std::min(left, x);
        right = std::max(right, x);
        bottom = std::min(bottom, y);
        top = std::max(top, y);
    }
};

/// What a mesh takes of two axes.
box box_of(const mesh& m, int first, int second) {
    box all;
    for (std::size_t p = 0; p + 2 < m.points.size(); p += 3)
        all.add(m.points[p + static_cast<std::size_t>(first)],
                m.points[p + static_cast<std::size_t>(second)]);
    return all;
}

/// From the plane's coordinates to pixels.
struct raster_window {
    double left, top, per_column, per_row;  // per_row is negative: the first row is at the top
    [[nodiscard]] double column(double x) const { return (x - left) / per_column - 0.5; }
    [[nodiscard]] double row(double y) const { return (y - top) / per_row - 0.5; }
};

raster_window window_of(const mesh& m, const slice_options& o, int first, int second) {
    std::array<double, 4> w = o.window;
    if (w == std::array<double, 4>{}) {
        const box all = box_of(m, first, second);
        w = {all.left, all.right, all.bottom, all.top};
    }
    if (!(w[1] > w[0]) || !(w[3] > w[2])) throw bad_argument("window: is empty");
    // Square pixels: the window grows round its middle where its sides ask for another shape.
    const double side =
        std::max((w[1] - w[0]) / static_cast<double>(o.columns), (w[3] - w[2]) / static_cast<double>(o.rows));
    const double width = side * static_cast<double>(o.columns), height = side * static_cast<double>(o.rows);
    return {0.5 * (w[0] + w[1] - width), 0.5 * (w[2] + w[3] + height), side, -side};
}

/// Gives pixels to polygons.
class painter {
public:
    painter(slice& to, raster_window window) : to_(to), window_(window) {}

    /// Corners in order round a convex polygon, either way.
    void fill(const std::vector<flat_point>& corners, float value) {
        double top = 1e300, bottom = -1e300;
        for (const flat_point& c : corners) {
            top = std::min(top, window_.row(c.y));
            bottom = std::max(bottom, window_.row(c.y));
        }
        const index_t first = std::max<index_t>(0, ceiling(top)),
                      last = std::min(to_.rows - 1, floored(bottom));
        for (index_t row = first; row <= last; ++row) fill_row(corners, row, value);
    }

private:
    // A little more than the polygon, so that rounding leaves no gap between neighbours.
    static constexpr double slack = 1e-6;  // pixels
    static index_t ceiling(double v) {
        return static_cast<index_t>(std::ceil(std::clamp(v - slack, -1e9, 1e9)));
    }
    static index_t floored(double v) {
        return static_cast<index_t>(std::floor(std::clamp(v + slack, -1e9, 1e9)));
    }

    void fill_row(const std::vector<flat_point>& corners, index_t row, float value) {
        double left = 1e300, right = -1e300;
        const auto y = static_cast<double>(row);
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const flat_point& a = corners[i];
            const flat_point& b = corners[(i + 1) % corners.size()];
            const double from = window_.row(a.y), to = window_.row(b.y);
            if ((from < y && to < y) || (from > y && to > y)) continue;
            const double part = from == to ? 0 : (y - from) / (to - from);
            for (const double x :
                 {window_.column(a.x + part * (b.x - a.x)),
                  from == to ? window_.column(b.x) : window_.column(a.x + part * (b.x - a.x))}) {
                left = std::min(left, x);
                right = std::max(right, x);
            }
        }
        const index_t first = std::max<index_t>(0, ceiling(left)),
                      last = std::min(to_.columns - 1, floored(right));
        for (index_t column = first; column <= last; ++column)
            to_.values[static_cast<std::size_t>(row * to_.columns + column)] = value;
    }

    slice& to_;
    raster_window window_;
};

/// A cell's polygon in the plane: where the plane crosses its edges, sorted round their middle.
class cutter {
public:
    /// Of a flat mesh there is but one plane.
    cutter(const mesh& m, const slice_options& o)
        : mesh_(m), axis_(m.dimensions == 2 ? 2 : o.axis), at_(o.at) {
        first_ = axis_ == 0 ? 1 : 0;
        second_ = axis_ == 2 ? 1 : 2;
    }
    [[nodiscard]] int first() const { return first_; }
    [[nodiscard]] int second() const { return second_; }

    const std::vector<flat_point>& polygon(index_t cell) {
        corners_.clear();
        const auto c = static_cast<std::size_t>(cell);
        if (mesh_.dimensions == 2) {
            for (auto k = static_cast<std::size_t>(mesh_.first_corner[c]);
                 k < static_cast<std::size_t>(mesh_.first_corner[c + 1]); ++k)
                corners_.push_back(flat(corner(k)));
            return corners_;
        }
        const cell_shape shape = mesh_.shapes[c];
        for (int f = 0; f < faces_of(shape); ++f) cross_face(c, corners_of_face(shape, f));
        sort_round_middle();
        return corners_;
    }

private:
    [[nodiscard]] point corner(std::size_t k) const {
        const auto p = 3 * static_cast<std::size_t>(mesh_.corners[k]);
        return {mesh_.points[p], mesh_.points[p + 1], mesh_.points[p + 2]};
    }
    [[nodiscard]] flat_point flat(const point& p) const {
        return {p[static_cast<std::size_t>(first_)], p[static_cast<std::size_t>(second_)]};
    }

    void cross_face(std::size_t cell, const face_corners& face) {
        const auto first = static_cast<std::size_t>(mesh_.first_corner[cell]);
        const auto place = [&](int k) {
            return corner(first + static_cast<std::size_t>(face.at[static_cast<std::size_t>(k)]));
        };
        for (int k = 0; k < face.count; ++k) {
            const point a = place(k), b = place((k + 1) % face.count);
            const double from = a[static_cast<std::size_t>(axis_)] - at_,
                         to = b[static_cast<std::size_t>(axis_)] - at_;
            // A corner in the plane belongs to the half above it, so that a face in the plane is one cell's.
            if ((from < 0) == (to < 0)) continue;
            const double part = from / (from - to);
            corners_.push_back(flat(
                {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])}));
        }
    }

    void sort_round_middle() {
        flat_point middle{0, 0};
        for (const flat_point& c : corners_) middle = {middle.x + c.x, middle.y + c.y};
        const auto n = static_cast<double>(corners_.size());
        middle = {middle.x / n, middle.y / n};
        std::ranges::sort(corners_, {},
                          [&](const flat_point& c) { return std::atan2(c.y - middle.y, c.x - middle.x); });
    }

    const mesh& mesh_;
    int axis_, first_ = 0, second_ = 1;
    double at_;
    std::vector<flat_point> corners_;
};

}  // namespace

slice_options slice_round_walls(const mesh& m, std::span<const std::string> walls) {
    slice_options o;
    if (!m.has_centres()) return o;
    box wall;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.cells()); ++i)
        for (auto r = static_cast<std::size_t>(m.first_face[i]);
             r < static_cast<std::size_t>(m.first_face[i + 1]); ++r) {
            if (!is_patch(m.neighbour[r])) continue;
            const auto patch = static_cast<std::size_t>(patch_of(m.neighbour[r]));
            if (std::ranges::find(walls, m.patches[patch]) != walls.end())
                wall.add(m.centre[3 * i] + m.face_offset[3 * r],
                         m.centre[3 * i + 1] + m.face_offset[3 * r + 1]);
        }
    if (!(wall.right >= wall.left)) return o;
    const double width = 1.5 * std::max({wall.right - wall.left, wall.top - wall.bottom, 1e-300});
    const double x = 0.5 * (wall.left + wall.right), y = 0.5 * (wall.bottom + wall.top);
    const box window{x - width, x + width, y - width * 2 / 3, y + width * 2 / 3};
    const box all = box_of(m, 0, 1);
    const bool inside = window.left > all.left && window.right < all.right && window.bottom > all.bottom &&
                        window.top < all.top;
    if (m.dimensions == 3 || inside) o.window = {window.left, window.right, window.bottom, window.top};
    return o;
}

slice cut(const mesh& m, std::span<const double> values, const slice_options& options) {
    constexpr index_t most = 1 << 20;
    if (!m.has_points()) throw bad_argument("mesh: has no corners; recover_points() gives them back");
    if (std::ssize(values) != m.cells())
        base::refuse("values", "has " + std::to_string(values.size()) + " elements",
                     std::to_string(m.cells()));
    if (options.axis < 0 || options.axis > 2 || options.columns < 1 || options.rows < 1 ||
        options.columns > most || options.rows > most)
        throw bad_argument("slice: expected an axis from 0 to 2 and 1 to 2^20 pixels a side");
    slice out{options.columns, options.rows, {}};
    out.values.assign(static_cast<std::size_t>(out.columns * out.rows),
                      std::numeric_limits<float>::quiet_NaN());
    cutter cells(m, options);
    painter to(out, window_of(m, options, cells.first(), cells.second()));
    for (index_t i = 0; i < m.cells(); ++i)
        if (const auto& polygon = cells.polygon(i); polygon.size() > 2)
            to.fill(polygon, static_cast<float>(values[static_cast<std::size_t>(i)]));
    return out;
}

}  // namespace wale
