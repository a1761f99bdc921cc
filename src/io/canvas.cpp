// canvas - letters three dots wide and five high, lines, PNG.
#include "io/canvas.hpp"

#include <png.h>

#include <algorithm>
#include <cstdio>
#include <wale/error.hpp>

namespace wale::io {
namespace {

/// A bit a dot, row by row from the top.
constexpr std::string_view signs = "0123456789.-+e_=()abcdfghijklmnopqrstuvwxyz";
constexpr std::array<unsigned, signs.size()> dots = {
    0b111101101101111, 0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001,
    0b111100111001111, 0b111100111101111, 0b111001010010010, 0b111101111101111, 0b111101111001111,
    0b000000000000010, 0b000000111000000, 0b000010111010000, 0b111101111100111, 0b000000000000111,
    0b000111000111000, 0b001010010010001, 0b100010010010100, 0b010101111101101, 0b110101110101110,
    0b011100100100011, 0b110101101101110, 0b111100110100100, 0b011100101101011, 0b101101111101101,
    0b111010010010111, 0b001001001101010, 0b101101110101101, 0b100100100100111, 0b101111111101101,
    0b111101101101101, 0b111101101101111, 0b110101110100100, 0b010101101110011, 0b110101110101101,
    0b011100010001110, 0b111010010010010, 0b101101101101111, 0b101101101101010, 0b101101111111101,
    0b101101010101101, 0b101101010010010, 0b111001010100111};

}  // namespace

void canvas::line(double x0, double y0, double x1, double y1, const colour& c) {
    const double steps = std::ceil(std::max({std::fabs(x1 - x0), std::fabs(y1 - y0), 1.0}));
    for (double i = 0; i <= steps; ++i)
        fill(std::llround(x0 + i / steps * (x1 - x0)), std::llround(y0 + i / steps * (y1 - y0)), 2, 2, c);
}

void canvas::text(index_t column, index_t row, std::string_view what, const colour& c) {
    for (const char one : what) {
        const std::size_t sign = signs.find(one);
        for (index_t i = 0; sign != std::string_view::npos && i < 15; ++i)
            if ((dots[sign] >> (14 - i) & 1U) != 0)
                fill(column + i % 3 * dot, row + i / 3 * dot, dot, dot, c);
        column += letter;
    }
}

void canvas::number(index_t column, index_t row, double value) {
    char shown[32];
    (void)std::snprintf(shown, sizeof shown, "%.3g", value);
    text(column, row, shown);
}

void canvas::write_png(output_file& out) const {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(columns_);
    image.height = static_cast<png_uint_32>(rows_);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(size, '\0');
    const bool good =
        png_image_write_to_memory(&image, file.data(), &size, 0, bytes_.data(), 0, nullptr) != 0;
    const std::string why = image.message;
    png_image_free(&image);
    if (!good) throw bad_argument("picture: cannot be written as PNG: " + why);
    out.write(std::string_view(file).substr(0, size));
}

}  // namespace wale::io
