// line - one line of a binary image, 64 pixels a word, the leftmost in bit 0: it takes what its
// neighbour lines give and fills its runs. And bytes to bits and back. By SIMD, the best that this CPU has.
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

namespace wale::reconstruction {

/// Words before and after every line that hold no pixel and that a kernel may read and write as zeros; line
/// lengths are rounded up to as many.
inline constexpr index_t bits_margin = 8;

/// Which lines a line takes from: pixel for pixel, or with one pixel to the left and right as well.
struct bits_neighbours {
    int plain = 0, dilated = 0;
    const std::uint64_t* lines[8] = {};  // the plain ones first
};

/// Words [first, last) of a line.
struct word_range {
    index_t first = 0, last = 0;
    [[nodiscard]] bool empty() const { return first >= last; }
};

struct bits_line {
    const std::uint64_t* mask;
    std::uint64_t* rising;  // within the mask
    word_range look;        // where a neighbour may have risen
    bool first_visit;       // fill runs although nothing came from a neighbour
};

/// Raises the line as far as its neighbours and its mask let it; the words that changed.
using raise_line = word_range (*)(const bits_line&, const bits_neighbours&);
[[nodiscard]] raise_line best_raise_line();

/// Nonzero bytes to bits; the words are cleared beyond the last pixel.
void pack_line(const std::uint8_t* pixels, index_t columns, std::uint64_t* words);
/// Bits to bytes of 0 and 1.
void unpack_line(const std::uint64_t* words, index_t columns, std::uint8_t* pixels);

}  // namespace wale::reconstruction
