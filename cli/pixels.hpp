// pixels - from an image of any type to its values, for the few loops of the command line. Host memory,
// rows without gaps, no bit-packed images: what files hold.
#pragma once

#include <cstdint>
#include <limits>
#include <wale/image_file.hpp>

namespace wale::cli {

/// Calls f.template operator()<T>() with the type of a pixel; booleans are bytes of 0 and 1.
template <class F>
decltype(auto) visit_pixels(pixel type, F&& f) {
    switch (type) {
        case pixel::u16:
            return f.template operator()<std::uint16_t>();
        case pixel::i32:
            return f.template operator()<std::int32_t>();
        case pixel::f32:
            return f.template operator()<float>();
        case pixel::f64:
            return f.template operator()<double>();
        default:
            return f.template operator()<std::uint8_t>();
    }
}

template <class T>
[[nodiscard]] const T* values_of(const const_image_view& p) {
    return static_cast<const T*>(p.data);
}

/// The ends of a pixel type; of a float, the infinities.
template <class T>
[[nodiscard]] constexpr T lowest_value() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
}
template <class T>
[[nodiscard]] constexpr T highest_value(pixel type) {
    using limits = std::numeric_limits<T>;
    if (type == pixel::boolean) return T{1};
    return limits::has_infinity ? limits::infinity() : limits::max();
}

/// An image that owns its pixels.
struct owned_image {
    memory pixels;
    raster shape;

    owned_image() = default;
    owned_image(raster like, pixel type, memory_space space = memory_space::host) : shape(like) {
        shape.type = type;
        shape.pack();
        pixels = memory(checked_bytes(shape.pixels(), bytes_of(type)), space);
    }
    [[nodiscard]] index_t bytes() const { return shape.pixels() * bytes_of(shape.type); }
    [[nodiscard]] const_image_view view() const { return {pixels.data(), shape}; }
    [[nodiscard]] image_view edit() const { return {pixels.data(), shape}; }
};

}  // namespace wale::cli
