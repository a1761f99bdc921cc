// samples - conversions of rows; every one keeps the value, luminance aside.
#include "io/samples.hpp"

#include <algorithm>
#include <type_traits>

namespace wale::io {
namespace {

/// BT.709, in ten-thousandths.
constexpr std::int64_t red = 2126, green = 7152, blue = 722, whole = 10000;

template <class T>
T luminance(const T* rgb) {
    if constexpr (std::is_integral_v<T>) {
        const std::int64_t sum = red * rgb[0] + green * rgb[1] + blue * rgb[2];
        return static_cast<T>(sum >= 0 ? (sum + whole / 2) / whole : (sum - whole / 2) / whole);
    } else {
        return static_cast<T>((static_cast<double>(red) * rgb[0] + static_cast<double>(green) * rgb[1] +
                               static_cast<double>(blue) * rgb[2]) /
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
            if (s.bits == 32) return pixel::f32;
            if (s.bits == 64) return pixel::f64;
            return std::nullopt;
    }
    return std::nullopt;
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
            for (index_t c = 0; c < columns; ++c) to[c] = Pixel{luminance(from + c * how.samples)};
        } else {
            for (index_t c = 0; c < columns; ++c) to[c] = Pixel{from[c * how.samples + how.taken]};
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
        for (index_t c = 0; c < p.columns; ++c) to[c] = static_cast<Stored>(from[c]);
    });
    return {scratch.data(), bytes};
}

}  // namespace wale::io
