// comparison - three panels, averaged down and stretched.
#include <algorithm>
#include <cmath>

#include "reconstruct.hpp"

namespace wale::cli {
namespace {

constexpr index_t most_extent = 1024;  // pixels of a panel
constexpr index_t gap = 8;             // white columns between panels

/// One plane as doubles; NaN where there is nothing.
struct panel {
    index_t rows = 0, columns = 0;
    std::vector<double> values;
};

struct span_of_values {
    double low = 0, high = 0;
    [[nodiscard]] double stretched(double v) const { return high > low ? (v - low) / (high - low) : 0; }
};

/// The mean of the numbers in each block of `factor` x `factor` pixels.
template <class T>
panel averaged(const const_image_view& p, index_t factor, const reconstruct_command& command) {
    panel out;
    out.rows = (p.rows + factor - 1) / factor;
    out.columns = (p.columns + factor - 1) / factor;
    out.values.assign(static_cast<std::size_t>(out.rows * out.columns), std::nan(""));
    for (index_t y = 0; y < out.rows; ++y)
        for (index_t x = 0; x < out.columns; ++x) {
            double sum = 0, count = 0;
            for (index_t v = y * factor; v < std::min((y + 1) * factor, p.rows); ++v) {
                const T* row = values_of<T>(p) + p.offset(0, p.planes / 2, v);
                for (index_t u = x * factor; u < std::min((x + 1) * factor, p.columns); ++u) {
                    const auto value = static_cast<double>(row[u]);
                    if (!std::isfinite(value) || (command.has_no_data && value == command.no_data)) continue;
                    sum += value;
                    ++count;
                }
            }
            if (count > 0) out.values[static_cast<std::size_t>(y * out.columns + x)] = sum / count;
        }
    return out;
}

panel panel_of(const const_image_view& p, index_t factor, const reconstruct_command& command) {
    return visit_pixels(p.type, [&]<class T>() { return averaged<T>(p, factor, command); });
}

span_of_values range_of(const panel& p) {
    span_of_values r{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const double v : p.values) {
        if (std::isnan(v)) continue;
        r.low = std::min(r.low, v);
        r.high = std::max(r.high, v);
    }
    return r;
}

/// What the third panel shows: differences of values, else what was marked in the image.
panel difference_of(answer_kind kind, const panel& before, const panel& after) {
    panel out = before;
    const bool comparable = kind == answer_kind::values || kind == answer_kind::residue;
    const span_of_values a = range_of(before), b = range_of(after);
    for (std::size_t k = 0; k < out.values.size(); ++k)
        out.values[k] = comparable ? std::abs(after.values[k] - before.values[k])
                                   : a.stretched(before.values[k]) / 2 + b.stretched(after.values[k]) / 2;
    return out;
}

void draw(const panel& p, const span_of_values& range, const owned_image& out, index_t left) {
    auto* pixels = static_cast<std::uint8_t*>(out.pixels.data());
    for (index_t y = 0; y < p.rows; ++y)
        for (index_t x = 0; x < p.columns; ++x) {
            const double v = range.stretched(p.values[static_cast<std::size_t>(y * p.columns + x)]);
            pixels[y * out.shape.columns + left + x] =
                std::isnan(v) ? std::uint8_t{0}
                              : static_cast<std::uint8_t>(255 * std::clamp(v, 0.0, 1.0) + 0.5);
        }
}

}  // namespace

owned_image compare_images(answer_kind kind, const const_image_view& before, const const_image_view& after,
                           const reconstruct_command& command) {
    const index_t larger = std::max(before.rows, before.columns);
    const index_t factor = std::max<index_t>(1, (larger + most_extent - 1) / most_extent);
    const panel a = panel_of(before, factor, command), b = panel_of(after, factor, command);
    const panel third = difference_of(kind, a, b);
    raster shape;
    shape.rows = a.rows;
    shape.columns = 3 * a.columns + 2 * gap;
    owned_image out(shape, pixel::u8);
    std::fill_n(static_cast<std::uint8_t*>(out.pixels.data()), out.bytes(), std::uint8_t{255});
    const span_of_values scale = range_of(a);
    draw(a, scale, out, 0);
    draw(b, kind == answer_kind::values ? scale : range_of(b), out, a.columns + gap);
    draw(third, range_of(third), out, 2 * (a.columns + gap));
    return out;
}

}  // namespace wale::cli
