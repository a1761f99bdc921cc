// equal_run - how far two texts agree from a place on, a word at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <wale/layout.hpp>

namespace wale::wavefront {

/// Whether 32 bytes are equal.
[[nodiscard]] inline bool equal_four_words(const void* a, const void* b) {
    std::uint64_t x[4], y[4];
    std::memcpy(x, a, sizeof x);
    std::memcpy(y, b, sizeof y);
    return (((x[0] ^ y[0]) | (x[1] ^ y[1])) | ((x[2] ^ y[2]) | (x[3] ^ y[3]))) == 0;
}

/// Symbols of a word that is compared at once.
template <class Symbol>
inline constexpr index_t at_once = sizeof(std::uint64_t) / sizeof(Symbol);

/// Of the first `most` symbols those before the first difference.
template <class Symbol>
[[nodiscard]] index_t equal_beginning(const Symbol* a, const Symbol* b, index_t most) {
    constexpr index_t many = 4 * at_once<Symbol>;
    index_t i = 0;
    while (i + many <= most && equal_four_words(a + i, b + i)) i += many;
    for (; i + at_once<Symbol> <= most; i += at_once<Symbol>) {
        std::uint64_t x, y;
        std::memcpy(&x, a + i, sizeof x);
        std::memcpy(&y, b + i, sizeof y);
        if (x != y) {
            const int equal = std::endian::native == std::endian::little ? std::countr_zero(x ^ y)
                                                                         : std::countl_zero(x ^ y);
            return i + equal / static_cast<int>(8 * sizeof(Symbol));
        }
    }
    while (i < most && a[i] == b[i]) ++i;
    return i;
}

/// The same backwards, of the `most` symbols before both ends.
template <class Symbol>
[[nodiscard]] index_t equal_end(const Symbol* a_end, const Symbol* b_end, index_t most) {
    constexpr index_t many = 4 * at_once<Symbol>;
    index_t i = 0;
    while (i + many <= most && equal_four_words(a_end - i - many, b_end - i - many)) i += many;
    for (; i + at_once<Symbol> <= most; i += at_once<Symbol>) {
        std::uint64_t x, y;
        std::memcpy(&x, a_end - i - at_once<Symbol>, sizeof x);
        std::memcpy(&y, b_end - i - at_once<Symbol>, sizeof y);
        if (x != y) {
            const int equal = std::endian::native == std::endian::little ? std::countl_zero(x ^ y)
                                                                         : std::countr_zero(x ^ y);
            return i + equal / static_cast<int>(8 * sizeof(Symbol));
        }
    }
    while (i < most && a_end[-1 - i] == b_end[-1 - i]) ++i;
    return i;
}

}  // namespace wale::wavefront
