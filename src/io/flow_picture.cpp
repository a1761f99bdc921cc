// flow_picture - a slice's values as colours, in a PNG.
#include <wale/flow_picture.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <wale/error.hpp>

#include "base/argument.hpp"
#include "io/canvas.hpp"

namespace wale {
namespace {

using io::canvas, io::colour, io::dot, io::ink;

/// Blue, white, red, each end darkening, as those who look at flows are used to. `at` from 0 to 1.
colour colour_of(double at) {
    static constexpr colour stops[] = {
        {0.13, 0.17, 0.52}, {0.26, 0.58, 0.86}, {0.96, 0.96, 0.94}, {0.95, 0.55, 0.28}, {0.55, 0.06, 0.15}};
    const double place = std::clamp(at, 0.0, 1.0) * 4;
    const auto low = static_cast<std::size_t>(std::min(place, 3.0));
    const double part = place - static_cast<double>(low);
    colour c{};
    for (std::size_t d = 0; d < 3; ++d) c[d] = stops[low][d] + part * (stops[low + 1][d] - stops[low][d]);
    return c;
}

constexpr colour nothing = {0.6, 0.6, 0.6};

// Of the colour bar: where a picture is high enough for five numbers.
constexpr index_t bar_least_rows = 160, bar_margin = 12, bar_width = 20, bar_columns = 180, bar_ticks = 5;

/// From `low` at the foot to `high`, with numbers, in the columns from `column` on.
void draw_bar(canvas& to, index_t column, index_t rows, double low, double high) {
    const index_t length = rows - 2 * bar_margin;
    column += bar_margin;
    for (index_t j = 0; j < length; ++j)
        to.fill(column, bar_margin + j, bar_width, 1,
                colour_of(1 - static_cast<double>(j) / static_cast<double>(length - 1)));
    for (index_t t = 0; t < bar_ticks; ++t) {
        const double part = static_cast<double>(t) / (bar_ticks - 1);
        const index_t row = bar_margin + std::llround((1 - part) * static_cast<double>(length - 1));
        to.fill(column + bar_width, row, 6, 1, ink);
        to.number(column + bar_width + 10, row - 5 * dot / 2, low + part * (high - low));
    }
}

struct range {
    double low, high;
};
/// Of the colours: as asked, or as seen.
range range_of(const slice& s, const slice_options& options) {
    range r{options.low, options.high};
    for (const float v : s.values) {
        if (std::isnan(v)) continue;
        if (std::isnan(options.low) && !(r.low <= v)) r.low = v;
        if (std::isnan(options.high) && !(r.high >= v)) r.high = v;
    }
    return r;
}

index_t columns_for_bar(const slice& s, const range& r) {
    return s.rows >= bar_least_rows && std::isfinite(r.low) && std::isfinite(r.high) ? bar_columns : 0;
}

canvas coloured(const slice& s, const range& r) {
    const index_t more = columns_for_bar(s, r);
    canvas out(s.columns + more, s.rows);
    for (index_t row = 0; row < s.rows; ++row)
        for (index_t column = 0; column < s.columns; ++column) {
            const float v = s.values[static_cast<std::size_t>(row * s.columns + column)];
            const double part = r.high > r.low ? (v - r.low) / (r.high - r.low) : 0.5;
            out.set(column, row, std::isnan(v) ? nothing : colour_of(part));
        }
    if (more > 0) draw_bar(out, s.columns, s.rows, r.low, r.high);
    return out;
}

}  // namespace

void write_coloured(output_file& out, const slice& s, const slice_options& options) {
    constexpr index_t most = 1 << 20;
    if (s.columns < 1 || s.rows < 1 || s.columns > most || s.rows > most ||
        std::ssize(s.values) != s.columns * s.rows)
        base::refuse("slice", "is " + std::to_string(s.columns) + " x " + std::to_string(s.rows) + " pixels",
                     "1 to 2^20 a side");
    const range colours = range_of(s, options);
    coloured(s, colours).write_png(out);
}

}  // namespace wale
