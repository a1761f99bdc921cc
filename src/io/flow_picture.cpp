// flow_picture - a slice's values as colours, in a PNG.
#include <wale/flow_picture.hpp>

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <wale/error.hpp>

namespace wale {
namespace {

using colour = std::array<double, 3>;  // red, green, blue from 0 to 1

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

constexpr colour ink = {0, 0, 0};

/// Pixels that are coloured one by one, the first row at the top.
class canvas {
public:
    canvas(index_t columns, index_t rows)
        : columns_(columns), bytes_(static_cast<std::size_t>(3 * columns * rows), 255) {}
    void set(index_t column, index_t row, const colour& c) {
        for (std::size_t d = 0; d < 3; ++d)
            bytes_[static_cast<std::size_t>(3 * (row * columns_ + column)) + d] =
                static_cast<std::uint8_t>(std::lround(255 * c[d]));
    }
    void fill(index_t column, index_t row, index_t columns, index_t rows, const colour& c) {
        for (index_t j = row; j < row + rows; ++j)
            for (index_t i = column; i < column + columns; ++i) set(i, j, c);
    }
    [[nodiscard]] const std::uint8_t* data() const { return bytes_.data(); }

private:
    index_t columns_;
    std::vector<std::uint8_t> bytes_;
};

/// Signs of numbers, three dots wide and five high: a bit a dot, row by row from the top.
constexpr std::string_view signs = "0123456789.-+e";
constexpr std::array<unsigned, signs.size()> dots = {
    0b111101101101111, 0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001,
    0b111100111001111, 0b111100111101111, 0b111001010010010, 0b111101111101111, 0b111101111001111,
    0b000000000000010, 0b000000111000000, 0b000010111010000, 0b111101111100111};
constexpr index_t dot = 3;  // pixels a side

void write_number(canvas& to, index_t column, index_t row, double value) {
    char text[32];
    (void)std::snprintf(text, sizeof text, "%.3g", value);
    for (const char* c = text; *c != 0; ++c, column += 4 * dot) {
        const std::size_t sign = signs.find(*c);
        if (sign == std::string_view::npos) continue;
        for (index_t i = 0; i < 15; ++i)
            if ((dots[sign] >> (14 - i) & 1U) != 0)
                to.fill(column + i % 3 * dot, row + i / 3 * dot, dot, dot, ink);
    }
}

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
        write_number(to, column + bar_width + 10, row - 5 * dot / 2, low + part * (high - low));
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
        throw bad_argument("slice: is " + std::to_string(s.columns) + " x " + std::to_string(s.rows) +
                           " pixels, expected 1 to 2^20 a side");
    const range colours = range_of(s, options);
    const canvas pixels = coloured(s, colours);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(s.columns + columns_for_bar(s, colours));
    image.height = static_cast<png_uint_32>(s.rows);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(size, '\0');
    const bool good =
        png_image_write_to_memory(&image, file.data(), &size, 0, pixels.data(), 0, nullptr) != 0;
    const std::string why = image.message;
    png_image_free(&image);
    if (!good) throw bad_argument("slice: cannot be written as PNG: " + why);
    out.write(std::string_view(file).substr(0, size));
}

}  // namespace wale
