// eight_flags - eight flags at a time between bytes of 0 and 1, the first one lowest, and the bits of a byte.
#pragma once

#include <cstdint>

namespace wale::reconstruction {

/// Each flag is shifted to its place in the top byte; no two terms meet.
[[nodiscard]] constexpr std::uint8_t bits_of_flags(std::uint64_t eight) {
    return static_cast<std::uint8_t>(eight * 0x0102040810204080 >> 56);
}

/// Any bit carries into the highest of its byte.
[[nodiscard]] constexpr std::uint64_t flags_of_bits(std::uint8_t bits) {
    const std::uint64_t apart = bits * std::uint64_t{0x0101010101010101} & 0x8040201008040201;
    return (apart + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
}

/// 1 in each byte that is not 0.
[[nodiscard]] constexpr std::uint64_t flags_of_bytes(std::uint64_t eight) {
    constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
    return (((eight & low) + low) | eight) >> 7 & 0x0101010101010101;
}

}  // namespace wale::reconstruction
