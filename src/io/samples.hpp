// samples - the numbers of a file and the pixels that they become.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/image_format.hpp"
#include "io/npy_header.hpp"

namespace wale::io {

enum class sample_kind { boolean, whole, negative_too, floating };

/// A number as a file stores it: 1 bit (a byte, once unpacked), 8, 16, 32 or 64 bits. half: npy_header.hpp.
struct sample {
    sample_kind kind = sample_kind::whole;
    int bits = 8;
    [[nodiscard]] constexpr index_t bytes() const noexcept { return (bits + 7) / 8; }
};

/// The pixel type that holds every value of it; none for those that Wale does not compute with, which
/// widened() converts: 32 and 64 bits without sign, 64 with.
[[nodiscard]] std::optional<pixel> pixel_for(const sample& s) noexcept;
/// Packed samples for which pixel_for() has no type, in the type that holds their values: int32 where every
/// difference of two values fits it too, else float64. Refuses values beyond 2^53.
[[nodiscard]] image_file_data widened(const image_input& in, raster shape, image_format format,
                                      const sample& s, const void* stored);
/// How `bits` of an image are stored: see image_file_data::bits.
[[nodiscard]] sample stored_as(pixel type, int bits) noexcept;
/// The narrower of `bits` and the type's own, so that all values fit.
[[nodiscard]] int fitting_bits(const const_image_view& image, int bits);

/// Calls f.template operator()<Stored, Pixel>().
template <class F>
void visit(const sample& s, F&& f) {
    switch (s.kind) {
        case sample_kind::boolean:
            return f.template operator()<std::uint8_t, std::uint8_t>();
        case sample_kind::whole:
            if (s.bits == 16) return f.template operator()<std::uint16_t, std::uint16_t>();
            if (s.bits == 32) return f.template operator()<std::uint32_t, std::uint32_t>();
            if (s.bits == 64) return f.template operator()<std::uint64_t, std::uint64_t>();
            return f.template operator()<std::uint8_t, std::uint8_t>();
        case sample_kind::negative_too:
            if (s.bits == 8) return f.template operator()<std::int8_t, std::int32_t>();
            if (s.bits == 16) return f.template operator()<std::int16_t, std::int32_t>();
            if (s.bits == 64) return f.template operator()<std::int64_t, std::int64_t>();
            return f.template operator()<std::int32_t, std::int32_t>();
        case sample_kind::floating:
            if (s.bits == 16) return f.template operator()<half, float>();
            if (s.bits == 32) return f.template operator()<float, float>();
            return f.template operator()<double, double>();
    }
}

/// How the samples of a pixel become one.
struct reduction {
    int samples = 1;  // of a stored pixel
    int taken = 0;    // -1: the luminance of the first three
};

/// The stored samples of a pixel.
struct sample_count {
    int colours = 1;           // 1 or 3
    int all = 1;               // the samples after the colours are alpha
    bool see_through = false;  // transparency without a sample of its own, as by tRNS of PNG
};

/// As the options say. `what`: "8-bit RGB", for messages.
[[nodiscard]] reduction choose_reduction(const image_input& in, const std::string& what,
                                         const sample_count& samples);

/// A row of stored samples, in this machine's byte order and aligned, to a row of pixels.
void reduce_row(const sample& s, const reduction& how, const void* stored, void* pixels, index_t columns);

/// One row of an image as samples: bits as bytes, narrowed to out.bits. `scratch`: memory for the row.
[[nodiscard]] std::string_view stored_row(const image_output& out, index_t image, index_t plane, index_t row,
                                          std::vector<char>& scratch);

}  // namespace wale::io
