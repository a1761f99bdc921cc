// bounded_blocks - edit distance within a bound, column by column in blocks of 64 rows, which enter below the
// band and leave above it (Hyyro 2003).
#pragma once

#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

/// Whether the blocks of such a band are few. Wide symbols need codes, of which there may be
/// `most_block_codes`.
[[nodiscard]] bool fits_blocks(index_t size_a, index_t size_b, index_t bound);
inline constexpr std::uint32_t most_block_codes = 512;

/// The distance, or bound + 1 where it is more. fits_blocks() says yes.
[[nodiscard]] index_t distance_in_blocks(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                                         index_t bound);
[[nodiscard]] index_t distance_in_blocks(const coded_pair& pair, index_t bound);

}  // namespace wale::wavefront
