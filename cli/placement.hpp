// placement - images and bytes where a backend reads them, images as the library takes them, and the few
// loops over pixels of any type: in host memory, rows without gaps, no bit-packed images, as files hold them.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <wale/buffer.hpp>
#include <wale/image_file.hpp>

#include "backend.hpp"

namespace wale::cli {

class stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

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

/// An image where a backend reads it: on the device as a copy, else as it is.
class placed_image {
public:
    /// Adds the time of the copy to `seconds`.
    placed_image(const execution& where, const const_image_view& host, double& seconds);
    [[nodiscard]] const const_image_view& view() const { return view_; }

private:
    memory device_;
    const_image_view view_;
};

/// 1 where a value is not 0.
[[nodiscard]] owned_image flags_of(const const_image_view& p);
/// Whole numbers as i32; throws bad_input for others.
[[nodiscard]] owned_image labels_of(const const_image_view& p, const std::string& file);
/// The pixels of `source` where `flags` are set, 0 elsewhere.
[[nodiscard]] owned_image selected_of(const const_image_view& source, const const_image_view& flags);
/// The ends of int32, which mean the least and the largest of all values, become those of so many bits.
void narrow_ends(const owned_image& image, int bits);
/// Labels in another type that holds them all.
[[nodiscard]] owned_image labels_as(const const_image_view& labels, pixel type);

class placed_bytes {
public:
    placed_bytes(const execution& where, index_t bytes) : where_(home_of(where)) {
        const auto* cuda = std::get_if<on_cuda>(&where_);
        memory_ = memory(bytes, cuda ? memory_space::device : memory_space::host, cuda ? cuda->device : 0);
    }
    /// Adds the time of a copy to or from a device to `seconds`.
    placed_bytes(const execution& where, const memory& from, double& seconds)
        : placed_bytes(where, from.bytes()) {
        const stopwatch watch;
        if (from.bytes() > 0) copy_bytes(where_, memory_.data(), from.data(), from.bytes());
        if (backend_of(where_) == backend::cuda) seconds += watch.seconds();
    }
    void fetch(void* to, double& seconds) const {
        const stopwatch watch;
        if (memory_.bytes() > 0) copy_bytes(where_, to, memory_.data(), memory_.bytes());
        if (backend_of(where_) == backend::cuda) seconds += watch.seconds();
    }
    template <class T>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(memory_.data());
    }

private:
    execution where_;
    memory memory_;
};

}  // namespace wale::cli
