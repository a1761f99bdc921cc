// npz - members of a ZIP archive as NumPy writes it: arrays of images and of matrices.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "io/byte_source.hpp"

namespace wale::io {

struct npz_archive {
    const byte_source& bytes;
    const std::string& name;  // for messages, without control bytes
    index_t max_bytes;        // of a member

    [[noreturn]] void refuse(const std::string& what) const;  // bad_input "name: what"
    void read(index_t at, void* to, index_t count) const;     // refuses a file that ends too early
};

[[nodiscard]] bool is_zip(std::string_view head);
/// "file.npz" and "NAME" of "file.npz:NAME"; of any other path the path and nothing.
[[nodiscard]] std::pair<std::string, std::string> split_member(const std::string& path);
/// The bytes of "member.npy", an NPY, in an NPZ; an empty name stands for the only one.
[[nodiscard]] std::string npz_member(const npz_archive& in, const std::string& member);

}  // namespace wale::io
