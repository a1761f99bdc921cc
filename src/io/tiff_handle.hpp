// tiff_handle - libtiff on a byte source or a string: callbacks, limits, and the first message instead of
// output.
#pragma once

#include <tiffio.h>

#include <array>
#include <csetjmp>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "io/byte_source.hpp"

namespace wale::io {

/// What the callbacks see. A `thandle_t`.
struct tiff_state {
    const byte_source* bytes = nullptr;  // reading
    std::string* out = nullptr;          // writing
    index_t at = 0;
    bool cut = false;        // more bytes were wanted than there are
    bool no_memory = false;  // an allocation failed
    bool guarded = false;    // and then libtiff is left at once
    std::jmp_buf leave{};
    std::array<char, 200> message{};

    [[nodiscard]] index_t size() const { return out != nullptr ? std::ssize(*out) : bytes->size(); }
};

using tiff_handle = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

/// Runs f, calls into libtiff between which nothing has a destructor; false if libtiff was left in the middle
/// because memory was missing: libtiff would go on with pointers that are null. The handle must not be used
/// any more then, nor closed: release() gives its memory up.
template <class F>
[[nodiscard]] bool guarded(tiff_state& state, F&& f) {
    state.guarded = setjmp(state.leave) == 0;
    if (!state.guarded) return false;
    f();
    state.guarded = false;
    return true;
}

/// Calls f(tag, list) for each tag of a georeference: a vector of double or uint16, or a text. libtiff knows
/// none of these.
template <class Earth, class F>
void for_each_tag(Earth& e, F&& f) {
    f(33550, e.pixel_scale);
    f(33922, e.tie_points);
    f(34264, e.transformation);
    f(34735, e.keys);
    f(34736, e.key_numbers);
    f(34737, e.key_text);
    f(42113, e.no_data);
}

/// The type of a tag of that list in a TIFF.
template <class List>
constexpr TIFFDataType tag_type = std::is_same_v<List, std::string>           ? TIFF_ASCII
                                  : std::is_same_v<List, std::vector<double>> ? TIFF_DOUBLE
                                                                              : TIFF_SHORT;

/// `mode` as libtiff's; `memory_limit`: bytes of one allocation, 0: none. nullptr where it does not open or
/// memory is missing.
[[nodiscard]] tiff_handle open_tiff(tiff_state& state, const char* mode, index_t memory_limit);

}  // namespace wale::io
