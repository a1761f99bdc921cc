// furthest - edit distance by the furthest cells that each number of edits reaches on the diagonals (Ukkonen
// 1985, Myers 1986): about the square of the distance in steps, whatever the length of the texts.
#pragma once

#include <optional>

#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

/// The distance, or most + 1 where it is more. Nothing where more than `worth` edits are needed, or seem to
/// be by what the first ones reached: another method is then faster. An answer for sure where `worth` is
/// `most`.
[[nodiscard]] std::optional<index_t> furthest_distance(const symbols& a, const symbols& b, index_t most,
                                                       index_t worth);

/// The number of edits up to which these steps take no longer than `cells` cells of a table in strips.
[[nodiscard]] index_t furthest_worth(double cells);

}  // namespace wale::wavefront
