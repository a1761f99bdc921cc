// tiff_handle - libtiff on a byte source or a string: callbacks, limits, and the first message instead of
// output.
#pragma once

#include <tiffio.h>

#include <array>
#include <memory>
#include <string>

#include "io/byte_source.hpp"

namespace wale::io {

/// What the callbacks see. A `thandle_t`.
struct tiff_state {
    const byte_source* bytes = nullptr;  // reading
    std::string* out = nullptr;          // writing
    index_t at = 0;
    bool cut = false;  // more bytes were wanted than there are
    std::array<char, 200> message{};

    [[nodiscard]] index_t size() const { return out != nullptr ? std::ssize(*out) : bytes->size(); }
};

using tiff_handle = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

/// `mode` as libtiff's; `memory_limit`: bytes of one allocation, 0: none. nullptr where it does not open.
[[nodiscard]] tiff_handle open_tiff(tiff_state& state, const char* mode, index_t memory_limit);

}  // namespace wale::io
