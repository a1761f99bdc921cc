// bounded_blocks - edit distance within a bound, column by column in blocks of 64 rows, which enter below the
// band and leave above it (Hyyro 2003).
#pragma once

#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

/// Whether the blocks of such a band are few.
[[nodiscard]] bool fits_blocks(index_t size_a, index_t size_b, index_t bound);

/// The distance, or bound + 1 where it is more. fits_blocks() says yes.
[[nodiscard]] index_t distance_in_blocks(const symbols& a, const symbols& b, index_t bound);

}  // namespace wale::wavefront
