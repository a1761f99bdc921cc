// flow_picture - a slice's values as colours, in a PNG.
#include <wale/flow_picture.hpp>

#include <png.h>

#include <algorithm>
#include <cmath>
#include <string>
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

std::vector<std::uint8_t> coloured(const slice& s, const slice_options& options) {
    double low = options.low, high = options.high;
    for (const float v : s.values) {
        if (std::isnan(v)) continue;
        if (std::isnan(options.low) && !(low <= v)) low = v;
        if (std::isnan(options.high) && !(high >= v)) high = v;
    }
    std::vector<std::uint8_t> bytes;
    bytes.reserve(3 * s.values.size());
    for (const float v : s.values) {
        const colour c = std::isnan(v) ? nothing : colour_of(high > low ? (v - low) / (high - low) : 0.5);
        for (const double part : c) bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * part)));
    }
    return bytes;
}

}  // namespace

void write_coloured(output_file& out, const slice& s, const slice_options& options) {
    constexpr index_t most = 1 << 20;
    if (s.columns < 1 || s.rows < 1 || s.columns > most || s.rows > most ||
        std::ssize(s.values) != s.columns * s.rows)
        throw bad_argument("slice: is " + std::to_string(s.columns) + " x " + std::to_string(s.rows) +
                           " pixels, expected 1 to 2^20 a side");
    const std::vector<std::uint8_t> bytes = coloured(s, options);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(s.columns);
    image.height = static_cast<png_uint_32>(s.rows);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(size, '\0');
    const bool good = png_image_write_to_memory(&image, file.data(), &size, 0, bytes.data(), 0, nullptr) != 0;
    const std::string why = image.message;
    png_image_free(&image);
    if (!good) throw bad_argument("slice: cannot be written as PNG: " + why);
    out.write(std::string_view(file).substr(0, size));
}

}  // namespace wale
