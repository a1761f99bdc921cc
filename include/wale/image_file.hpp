// image_file - PNG, TIFF and NPY files, and JPEG to read. An image keeps its depth: 16 bits stay 16 bits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/image.hpp>
#include <wale/output_file.hpp>

namespace wale {

enum class image_format {
    by_name,  // of the file: .png, .tif, .tiff, .npy
    png,
    tiff,
    npy,
    jpeg  // .jpg, .jpeg; read, not written
};
[[nodiscard]] const char* name_of(image_format f) noexcept;  // "PNG"

enum class colour_rule {
    refuse,
    luminance,  // 0.2126 R + 0.7152 G + 0.0722 B of the stored values (BT.709), rounded, in their depth
    channel     // one sample of a pixel, see image_file_options::channel
};
enum class alpha_rule { refuse, drop };
/// What the pages of a TIFF, or the leading axis of an NPY with three, are to each other.
enum class stack_rule {
    volume,  // planes of one image of rank 3
    images   // a batch
};

struct image_file_options {
    colour_rule colour = colour_rule::refuse;
    int channel = 0;  // colour_rule::channel: from 0
    alpha_rule alpha = alpha_rule::refuse;
    stack_rule stack = stack_rule::volume;
    index_t max_bytes = index_t{1} << 40;  // of pixels
    /// Where the pixels are to lie, asked once the shape is known; host memory if empty. Not `device`.
    std::function<memory_space(const raster&)> space{};
    /// Which lines to keep, first and behind the last, asked once the shape is known: planes of a volume,
    /// else rows; of a batch images. All if empty. Strips, tiles and pages of a TIFF that hold none are not
    /// decoded; other formats are read whole first.
    std::function<std::pair<index_t, index_t>(const raster&)> lines{};
};

/// Where the pixels of a TIFF lie on the Earth, as its tags say it (GeoTIFF 1.1, OGC 19-008): carried from a
/// file to another as they are. A list is empty where the file has no such tag.
struct georeference {
    std::vector<double> pixel_scale, tie_points, transformation;  // 33550, 33922, 34264
    std::vector<std::uint16_t> keys;                              // 34735
    std::vector<double> key_numbers;                              // 34736
    std::string key_text;                                         // 34737
    std::string no_data;  // 42113, of GDAL: the value of pixels that hold none, in decimal or "nan"

    friend bool operator==(const georeference&, const georeference&) = default;
};

/// Pixels of a file, rows without gaps.
struct image_file_data {
    memory pixels;
    raster shape;  // 1-bit samples are pixel::boolean, 2 and 4 bits u8, 8- and 16-bit signed ones i32
    image_format format = image_format::by_name;
    int bits = 8;          // of a sample in the file; 32 for float16, which is written as float32
    georeference earth{};  // of a TIFF's first page
    bool batch = false;    // an NPY has an axis of images, even of one

    [[nodiscard]] const_image_view view() const noexcept { return {pixels.data(), shape}; }
};

/// Colour or alpha, and the options do not say what to do with it.
class needs_reduction : public bad_input {
public:
    using bad_input::bad_input;
};

/// Reads a PNG (grey of 1 to 16 bits; colour and palette by colour_rule), a TIFF (strips or tiles of 1 to 16
/// bits, 8- to 32-bit signed, float32, float64; several pages are a stack; lossless compressions), a JPEG
/// (8-bit grey or colour in Huffman codes, as it is stored: a camera's note how it was held is not followed),
/// or an NPY (versions 1 to 3, either byte order, C or Fortran order; two axes, three: see stack_rule, four:
/// a batch of volumes), distinguished by their first bytes. "all.npz:name" is a member of an NPZ. `-` is
/// standard input. Throws cannot_open, or bad_input "file: value, expected": damage, bytes missing or too
/// many. Memory is taken only for what a file of this size can hold.
[[nodiscard]] image_file_data read_image(const std::string& path, const image_file_options& = {});

/// The same from memory; `name` stands in messages. This is what the fuzzers drive.
[[nodiscard]] image_file_data parse_image(std::string_view bytes, const std::string& name,
                                          const image_file_options& = {});

struct image_write_options {
    image_format format = image_format::by_name;
    /// As image_file_data::bits: fewer than the type has where all values fit. 0: those of the type.
    int bits = 0;
    std::vector<std::string> inputs{};  // files that must not be replaced
    georeference earth{};               // for a TIFF; other formats have no place for it
    bool batch = false;                 // NPY: an axis of images for a single one, too
};

/// Writes the image in host memory whole or not at all (see output_file); `-` is standard output. PNG holds
/// one flat image of bit, boolean, u8 or u16; TIFF and NPY every type, and stacks.
/// Throws bad_argument where the format cannot hold the image, and cannot_write.
void write_image(const std::string& path, const const_image_view& image, const image_write_options& = {});

/// The same into a file that is open, for its owner to commit. The format must be named.
void write_image(output_file& out, const const_image_view& image, const image_write_options& options);

/// The format that a file's name asks for; by_name if it says nothing.
[[nodiscard]] image_format format_of(const std::string& path);

/// Why write_image() would throw bad_argument for images of this shape; empty if it would not.
[[nodiscard]] std::string why_unwritable(const std::string& path, const raster& shape,
                                         const image_write_options& = {});

}  // namespace wale
