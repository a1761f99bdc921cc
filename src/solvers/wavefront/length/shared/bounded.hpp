// bounded - edit distance where few edits, or a bound, leave out most of the table.
#pragma once

#include <optional>

#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

// By the furthest cells that each number of edits reaches on the diagonals (Ukkonen 1985,
// Myers 1986): about the square of the distance in steps, whatever the length of the texts.

/// The distance, or most + 1 where it is more. Nothing where more than `worth` edits are needed, or seem to
/// be by what the first ones reached: another method is then faster. An answer for sure where `worth` is
/// `most`.
[[nodiscard]] std::optional<index_t> furthest_distance(const symbols& a, const symbols& b, index_t most,
                                                       index_t worth);

/// The same of `a` and the nearest of all beginnings of `b`, whose lengths are `ends`, ascending. most: at
/// most the size of `a`, which is the distance of the empty beginning.
[[nodiscard]] std::optional<index_t> furthest_prefix(const symbols& a, const symbols& b, index_t most,
                                                     index_t worth, std::vector<index_t>& ends);

/// The number of edits up to which these steps take no longer than `cells` cells of a table in strips.
[[nodiscard]] index_t furthest_worth(double cells);

// Within a bound that one word holds (Hyyro 2003).

/// Whether a word holds the band of this bound: lengths differ by no more than the bound.
[[nodiscard]] bool fits_word(const symbols& a, const symbols& b, index_t bound);

/// The distance itself, or something above `bound`; none where more than some hundred wide symbols differ
/// from each other. fits_word() says yes, and neither text is empty.
[[nodiscard]] std::optional<index_t> distance_in_word(const symbols& a, const symbols& b, index_t bound);

// Within a bound, column by column in blocks of 64 rows, which enter below the band and leave above it (Hyyro
// 2003).

/// Whether the blocks of such a band are few.
[[nodiscard]] bool fits_blocks(index_t size_a, index_t size_b, index_t bound);

/// The distance, or bound + 1 where it is more. fits_blocks() says yes.
[[nodiscard]] index_t distance_in_blocks(const symbols& a, const symbols& b, index_t bound);

}  // namespace wale::wavefront
