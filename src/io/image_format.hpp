// image_format - what the readers and writers of images share: their input, their output, their limits.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <wale/image_file.hpp>

#include "io/byte_source.hpp"

namespace wale::io {

struct image_input {
    const byte_source& bytes;
    std::string name;  // for messages, without control bytes
    const image_file_options& options;

    [[noreturn]] void refuse(const std::string& what) const;  // bad_input "name: what"
    void read(index_t at, void* to, index_t count) const;     // refuses a file that ends too early
    /// Memory for packed pixels; refuses more than options.max_bytes and what is beyond 2^63.
    [[nodiscard]] image_file_data allocate(raster shape, image_format format, int bits) const;
    /// The lines to keep of an image (image_file_options::lines), and the image of these.
    [[nodiscard]] std::pair<index_t, index_t> lines(const raster& whole) const;
    [[nodiscard]] static std::pair<index_t, index_t> all_lines(const raster& whole);
    [[nodiscard]] static raster part(const raster& whole, std::pair<index_t, index_t> lines);
    [[nodiscard]] image_file_data cut(image_file_data all) const;
    /// Refuses `count * size` bytes that a file of this size cannot expand to.
    void check_expansion(index_t count, index_t size, index_t most_of_a_byte) const;
};

/// Where a writer's bytes go.
using byte_sink = std::function<void(std::string_view)>;

struct image_output {
    const const_image_view& image;
    int bits;  // of a stored sample; all values fit
    const byte_sink& sink;
    const image_write_options& options;
};

[[nodiscard]] bool is_png(std::string_view head);
[[nodiscard]] bool is_jpeg(std::string_view head);
[[nodiscard]] bool is_tiff(std::string_view head);
[[nodiscard]] bool is_npy(std::string_view head);

[[nodiscard]] image_file_data read_png(const image_input& in);
[[nodiscard]] image_file_data read_jpeg(const image_input& in);
[[nodiscard]] image_file_data read_tiff(const image_input& in);
[[nodiscard]] image_file_data read_npy(const image_input& in);

void write_png(const image_output& out);
void write_tiff(const image_output& out);
void write_npy(const image_output& out);

/// Reads whatever the first bytes say (image_file.cpp).
[[nodiscard]] image_file_data read_any(const image_input& in, const std::string& member);
/// Writes to a sink: checked as by write_image().
void write_any(const const_image_view& image, const image_write_options& options, const byte_sink& sink);

}  // namespace wale::io
