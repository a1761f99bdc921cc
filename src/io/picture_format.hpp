// picture_format - what the readers and writers of pictures share: their input, their output, their limits.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <wale/picture_file.hpp>

#include "io/byte_source.hpp"

namespace wale::io {

struct picture_input {
    const byte_source& bytes;
    std::string name;  // for messages, without control bytes
    const picture_file_options& options;

    [[noreturn]] void refuse(const std::string& what) const;  // bad_input "name: what"
    void read(index_t at, void* to, index_t count) const;     // refuses a file that ends too early
    /// Memory for packed pixels; refuses more than options.max_bytes and what is beyond 2^63.
    [[nodiscard]] picture_file_data allocate(raster shape, picture_format format, int bits) const;
    /// Refuses `count * size` bytes that a file of this size cannot expand to.
    void check_expansion(index_t count, index_t size, index_t most_of_a_byte) const;
};

/// Where a writer's bytes go.
using byte_sink = std::function<void(std::string_view)>;

struct picture_output {
    const const_picture& picture;
    int bits;  // of a stored sample; all values fit
    const byte_sink& sink;
};

[[nodiscard]] bool is_png(std::string_view head);
[[nodiscard]] bool is_tiff(std::string_view head);
[[nodiscard]] bool is_npy(std::string_view head);
[[nodiscard]] bool is_zip(std::string_view head);

[[nodiscard]] picture_file_data read_png(const picture_input& in);
[[nodiscard]] picture_file_data read_tiff(const picture_input& in);
[[nodiscard]] picture_file_data read_npy(const picture_input& in);
/// The bytes of "member.npy" in an NPZ; an empty name stands for the only one.
[[nodiscard]] std::string npz_member(const picture_input& in, const std::string& member);

void write_png(const picture_output& out);
void write_tiff(const picture_output& out);
void write_npy(const picture_output& out);

/// Reads whatever the first bytes say (picture_file.cpp).
[[nodiscard]] picture_file_data read_any(const picture_input& in, const std::string& member);
/// Writes to a sink: checked as by write_picture().
void write_any(picture_format format, const const_picture& picture, int bits, const byte_sink& sink);

}  // namespace wale::io
