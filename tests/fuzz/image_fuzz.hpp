// image_fuzz - what holds for arbitrary bytes that may be an image file, of whatever format.
#pragma once

#include <cstring>
#include <string>
#include <wale/image_file.hpp>

#include "fuzz/demand.hpp"
#include "io/image_format.hpp"
#include "io/npz.hpp"

namespace wale::fuzz {

constexpr index_t most_bytes = 1 << 22;  // of pixels

/// Whether the bytes are an image.
inline bool reads(std::string_view bytes, const image_file_options& options, image_file_data& out) {
    return takes([&] { out = parse_image(bytes, "fuzz", options); });
}

inline bool same(const image_file_data& a, const image_file_data& b) {
    return a.shape.same_shape(b.shape) && a.shape.type == b.shape.type &&
           a.pixels.bytes() == b.pixels.bytes() &&
           (a.pixels.bytes() == 0 ||
            std::memcmp(a.pixels.data(), b.pixels.data(), static_cast<std::size_t>(a.pixels.bytes())) == 0);
}

/// Written in `format` and read again, the image is what it was, and so is its depth.
inline void check_round_trip(const image_file_data& file, image_format format, stack_rule stack) {
    if (!why_unwritable("-", file.shape, {.format = format}).empty()) return;
    std::string bytes;
    io::write_any(file.view(), {.format = format, .bits = file.bits, .batch = file.batch},
                  [&](std::string_view part) { bytes += part; });
    image_file_data again;
    demand(reads(bytes, {.stack = stack}, again), "what was written is read");
    demand(same(file, again), "an image survives being written and read");
    if (format != file.format) return;
    demand(file.bits == again.bits, "its depth survives");
    demand(file.batch == again.batch, "its axes survive");
}

inline void check_options(std::string_view bytes, image_format format, const image_file_options& options) {
    image_file_data file;
    if (!reads(bytes, options, file)) return;
    demand(file.format == format, "other formats are not for this target");
    demand(file.pixels.bytes() == file.shape.pixels() * bytes_of(file.shape.type), "pixels fill the memory");
    demand(file.pixels.bytes() <= options.max_bytes, "the limit holds");
    // A stack of one page is a flat image to a TIFF and to a batch.
    if (file.shape.planes == 1 && file.shape.rank == 3) return;
    for (const image_format other : {image_format::png, image_format::tiff, image_format::npy})
        check_round_trip(file, other, options.stack);
}

/// What has the first bytes of the format. Without options of its own, an input is read by those that take
/// the most and by the defaults.
inline void check(std::string_view input, image_format format) {
    const bool is_png = io::is_png(input), is_tiff = io::is_tiff(input);
    const bool is_npy = io::is_npy(input) || io::is_zip(input);
    if (!(format == image_format::png ? is_png : format == image_format::tiff ? is_tiff : is_npy)) return;
    option_bytes chosen(input);
    if (chosen.chosen()) {
        constexpr colour_rule rules[] = {colour_rule::refuse, colour_rule::luminance, colour_rule::channel};
        const image_file_options options{.colour = rules[chosen.next(3)],
                                         .channel = static_cast<int>(chosen.next(6)) - 1,
                                         .alpha = chosen.flag() ? alpha_rule::drop : alpha_rule::refuse,
                                         .stack = chosen.flag() ? stack_rule::images : stack_rule::volume,
                                         .max_bytes = chosen.limit(most_bytes)};
        return check_options(chosen.file(), format, options);
    }
    for (const bool converts : {false, true})
        for (const stack_rule stack : {stack_rule::volume, stack_rule::images})
            check_options(input, format,
                          {.colour = converts ? colour_rule::luminance : colour_rule::refuse,
                           .alpha = converts ? alpha_rule::drop : alpha_rule::refuse,
                           .stack = stack,
                           .max_bytes = most_bytes});
}

}  // namespace wale::fuzz
