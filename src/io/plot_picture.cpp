// plot_picture - curves over axes with numbers, as PNG.
#include <algorithm>
#include <cmath>
#include <limits>
#include <wale/error.hpp>
#include <wale/flow_picture.hpp>

#include "base/argument.hpp"
#include "io/canvas.hpp"

namespace wale {
namespace {

using io::canvas, io::colour, io::ink;

constexpr index_t columns = 960, rows = 480;                      // of a panel
constexpr index_t left = 110, right = 30, top = 40, bottom = 50;  // round the curves
constexpr index_t ticks = 5;
constexpr colour colours[] = {{0.12, 0.35, 0.65}, {0.8, 0.25, 0.15}, {0.2, 0.55, 0.25}, {0.5, 0.3, 0.6}};

/// Of the values of all curves, wider where they are one.
struct extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void add(double v) {
        if (!std::isfinite(v)) return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    void widen() {
        if (!(low <= high)) low = 0, high = 1;
        const double room = high > low ? 0.05 * (high - low) : 0.5 * std::max(std::fabs(low), 1e-300);
        low -= room;
        high += room;
    }
    [[nodiscard]] double part(double v) const { return (v - low) / (high - low); }
};

class panel_picture {
public:
    panel_picture(canvas& to, const plot_panel& panel, index_t first_row)
        : to_(to), panel_(panel), first_(first_row) {
        for (const curve& c : panel.curves)
            for (std::size_t i = 0; i < c.x.size(); ++i)
                if (std::isfinite(c.x[i]) && std::isfinite(c.y[i])) x_.add(c.x[i]), y_.add(c.y[i]);
        x_.widen();
        y_.widen();
    }
    void draw() {
        draw_axes();
        index_t column = left + 10;
        for (std::size_t k = 0; k < panel_.curves.size(); ++k) {
            const curve& c = panel_.curves[k];
            const colour& of = colours[k % std::size(colours)];
            draw_curve(c, of);
            to_.fill(column, first_ + 16, 12, 12, of);
            to_.text(column + 18, first_ + 14, c.name, of);
            column += 18 + static_cast<index_t>(c.name.size() + 2) * io::letter;
        }
    }

private:
    [[nodiscard]] double column_of(double x) const { return left + x_.part(x) * (columns - left - right); }
    [[nodiscard]] double row_of(double y) const {
        const double part = panel_.downwards ? y_.part(y) : 1 - y_.part(y);
        return static_cast<double>(first_ + top) + part * (rows - top - bottom);
    }
    void draw_axes() {
        const index_t foot = first_ + rows - bottom;
        to_.fill(left, first_ + top, 1, rows - top - bottom, ink);
        to_.fill(left, foot, columns - left - right, 1, ink);
        for (index_t t = 0; t < ticks; ++t) {
            const double part = static_cast<double>(t) / (ticks - 1);
            const double x = x_.low + part * (x_.high - x_.low), y = y_.low + part * (y_.high - y_.low);
            const index_t column = std::llround(column_of(x)), row = std::llround(row_of(y));
            to_.fill(column, foot, 1, 6, ink);
            to_.number(std::min(column - 20, columns - 90), foot + 10, x);
            to_.fill(left - 6, row, 6, 1, ink);
            to_.number(8, row - io::line_height / 2, y);
        }
        to_.text(columns - right - static_cast<index_t>(panel_.x_name.size()) * io::letter, foot - 22,
                 panel_.x_name);
        to_.text(8, first_ + 14, panel_.y_name);
    }
    void draw_curve(const curve& c, const colour& of) {
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            if (!std::isfinite(c.x[i]) || !std::isfinite(c.y[i])) continue;
            const double column = column_of(c.x[i]), row = row_of(c.y[i]);
            to_.fill(std::llround(column) - 2, std::llround(row) - 2, 5, 5, of);
            if (c.points || i == 0 || !std::isfinite(c.x[i - 1]) || !std::isfinite(c.y[i - 1])) continue;
            to_.line(column_of(c.x[i - 1]), row_of(c.y[i - 1]), column, row, of);
        }
    }

    canvas& to_;
    const plot_panel& panel_;
    index_t first_;
    extent x_, y_;
};

}  // namespace

void write_plot(output_file& out, std::span<const plot_panel> panels) {
    for (const plot_panel& p : panels)
        for (const curve& c : p.curves)
            if (c.x.size() != c.y.size())
                base::refuse("curve",
                             "has " + std::to_string(c.x.size()) + " abscissae and " +
                                 std::to_string(c.y.size()) + " ordinates",
                             "as many");
    canvas picture(columns, rows * std::max<index_t>(std::ssize(panels), 1));
    index_t first = 0;
    for (const plot_panel& p : panels) {
        panel_picture(picture, p, first).draw();
        first += rows;
    }
    picture.write_png(out);
}

}  // namespace wale
