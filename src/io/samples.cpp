// samples - conversions of rows; every one keeps the value, luminance aside.
#include "io/samples.hpp"

#include <algorithm>
#include <type_traits>

namespace wale::io {
namespace {

/// BT.709, in ten-thousandths.
constexpr std::int64_t red = 2126, green = 7152, blue = 722, whole = 10000;

template <class Pixel, class T>
Pixel luminance(const T* rgb) {
    if constexpr (std::is_integral_v<T>) {
        const auto share = [](std::int64_t weight, T v) { return weight * static_cast<std::int64_t>(v); };
        const std::int64_t sum = share(red, rgb[0]) + share(green, rgb[1]) + share(blue, rgb[2]);
        return static_cast<Pixel>(sum >= 0 ? (sum + whole / 2) / whole : (sum - whole / 2) / whole);
    } else {
        const auto share = [](std::int64_t weight, T v) {
            return static_cast<double>(weight) * static_cast<double>(v);
        };
        return static_cast<Pixel>((share(red, rgb[0]) + share(green, rgb[1]) + share(blue, rgb[2])) /
                                  static_cast<double>(whole));
    }
}

/// Calls f(values, count) for every row of elements.
template <class T, class F>
void each_row(const const_image_view& p, F&& f) {
    for (index_t image = 0; image < p.images; ++image)
        for (index_t plane = 0; plane < p.planes; ++plane)
            for (index_t row = 0; row < p.rows; ++row)
                f(static_cast<const T*>(p.data) + p.offset(image, plane, row), p.columns);
}

template <class T>
bool all_within(const const_image_view& p, std::int64_t low, std::int64_t high) {
    bool good = true;
    each_row<T>(p, [&](const T* values, index_t count) {
        good = good && std::all_of(values, values + count, [&](T v) { return v >= low && v <= high; });
    });
    return good;
}

template <class T>
pixel type_for(const image_input& in, const T* values, index_t count) {
    if (count == 0) return pixel::i32;
    const auto [low, high] = std::minmax_element(values, values + count);
    const auto within = [low = *low, high = *high](std::int64_t most) {
        return std::cmp_greater_equal(low, -most) && std::cmp_less_equal(high, most);
    };
    if (within((std::int64_t{1} << 30) - 1)) return pixel::i32;
    if (within(std::int64_t{1} << 53)) return pixel::f64;
    in.refuse("values from " + std::to_string(*low) + " to " + std::to_string(*high) +
              ", expected within -2^53..2^53");
}

}  // namespace

std::optional<pixel> pixel_for(const sample& s) noexcept {
    switch (s.kind) {
        case sample_kind::boolean:
            return pixel::boolean;
        case sample_kind::whole:
            if (s.bits <= 8) return pixel::u8;
            if (s.bits == 16) return pixel::u16;
            return std::nullopt;
        case sample_kind::negative_too:
            if (s.bits == 8 || s.bits == 16 || s.bits == 32) return pixel::i32;
            return std::nullopt;
        case sample_kind::floating:
            if (s.bits == 16 || s.bits == 32) return pixel::f32;
            if (s.bits == 64) return pixel::f64;
            return std::nullopt;
    }
    return std::nullopt;
}

image_file_data widened(const image_input& in, raster shape, image_format format, const sample& s,
                        const void* stored) {
    image_file_data out;
    visit(s, [&]<class Stored, class Pixel>() {
        if constexpr (std::is_integral_v<Stored>) {
            const auto* const from = static_cast<const Stored*>(stored);
            const index_t count = shape.pixels();
            shape.type = type_for(in, from, count);
            out = in.allocate(shape, format, static_cast<int>(8 * bytes_of(shape.type)));
            const auto fill = [&](auto* to) {
                for (index_t k = 0; k < count; ++k)
                    to[k] = static_cast<std::remove_reference_t<decltype(*to)>>(from[k]);
            };
            if (shape.type == pixel::i32)
                fill(static_cast<std::int32_t*>(out.pixels.data()));
            else
                fill(static_cast<double*>(out.pixels.data()));
        }
    });
    return out;
}

sample stored_as(pixel type, int bits) noexcept {
    switch (type) {
        case pixel::bit:
        case pixel::boolean:
            return {sample_kind::boolean, 1};
        case pixel::u8:
            return {sample_kind::whole, bits == 2 || bits == 4 ? bits : 8};
        case pixel::u16:
            return {sample_kind::whole, 16};
        case pixel::i32:
            return {sample_kind::negative_too, bits == 8 || bits == 16 ? bits : 32};
        case pixel::f32:
            return {sample_kind::floating, 32};
        case pixel::f64:
            break;
    }
    return {sample_kind::floating, 64};
}

int fitting_bits(const const_image_view& image, int bits) {
    const int own = stored_as(image.type, 0).bits;
    const int wished = stored_as(image.type, bits).bits;
    if (wished == own) return own;
    const std::int64_t range = std::int64_t{1} << wished;
    const bool fits = image.type == pixel::u8 ? all_within<std::uint8_t>(image, 0, range - 1)
                                              : all_within<std::int32_t>(image, -range / 2, range / 2 - 1);
    return fits ? wished : own;
}

reduction choose_reduction(const image_input& in, const std::string& what, const sample_count& samples) {
    const image_file_options& o = in.options;
    if (o.colour == colour_rule::channel) {
        if (o.channel < 0 || o.channel >= samples.all)
            in.refuse(what + ", which has no channel " + std::to_string(o.channel) + ", expected 0.." +
                      std::to_string(samples.all - 1));
        return {samples.all, o.channel};
    }
    if (samples.colours == 3 && o.colour == colour_rule::refuse)
        throw needs_reduction(in.name + ": " + what + ", expected grey values");
    if ((samples.all > samples.colours || samples.see_through) && o.alpha == alpha_rule::refuse)
        throw needs_reduction(in.name + ": " + what + ", expected no alpha channel");
    return {samples.all, samples.colours == 3 ? -1 : 0};
}

void reduce_row(const sample& s, const reduction& how, const void* stored, void* pixels, index_t columns) {
    visit(s, [&]<class Stored, class Pixel>() {
        const auto* from = static_cast<const Stored*>(stored);
        auto* to = static_cast<Pixel*>(pixels);
        if (how.taken < 0) {
            for (index_t c = 0; c < columns; ++c) to[c] = luminance<Pixel>(from + c * how.samples);
        } else {
            for (index_t c = 0; c < columns; ++c)
                to[c] = static_cast<Pixel>(from[c * how.samples + how.taken]);
        }
    });
}

std::string_view stored_row(const image_output& out, index_t image, index_t plane, index_t row,
                            std::vector<char>& scratch) {
    const const_image_view& p = out.image;
    const sample s = stored_as(p.type, out.bits);
    const index_t at = p.offset(image, plane, row);
    const auto* first = static_cast<const char*>(p.data) + at * bytes_of(p.type);
    const auto bytes = static_cast<std::size_t>(p.columns * s.bytes());
    if (p.type == pixel::bit) {
        scratch.resize(bytes);
        const auto* words = static_cast<const std::uint32_t*>(p.data) + at;
        for (index_t c = 0; c < p.columns; ++c)
            scratch[static_cast<std::size_t>(c)] = static_cast<char>(words[c / 32] >> (c % 32) & 1U);
        return {scratch.data(), bytes};
    }
    if (s.bytes() == bytes_of(p.type)) return {first, bytes};
    scratch.resize(bytes);
    visit(s, [&]<class Stored, class Pixel>() {
        const auto* from = static_cast<const Pixel*>(p.data) + at;
        auto* to = reinterpret_cast<Stored*>(scratch.data());
        if constexpr (!std::is_same_v<Stored, half>)  // which is only read
            for (index_t c = 0; c < p.columns; ++c) to[c] = static_cast<Stored>(from[c]);
    });
    return {scratch.data(), bytes};
}

}  // namespace wale::io
