// word_band - edit distance within a bound that one word holds (Hyyro 2003).
#pragma once

#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

/// Whether a word holds the band of this bound: bytes, of lengths that differ by no more than the bound.
[[nodiscard]] bool fits_word(const symbols& a, const symbols& b, index_t bound);

/// The distance itself, or something above `bound`. fits_word() says yes, and neither text is empty.
[[nodiscard]] index_t distance_in_word(const symbols& a, const symbols& b, index_t bound);

}  // namespace wale::wavefront
