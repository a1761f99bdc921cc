// last_row - the last row of a table of edit distances whose query is long: strips of vectors, and the rows
// that are no whole vector in words.
#pragma once

#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

/// What each column of pair.b adds to the value in the last row of pair.a, which is not empty: -1, 0 or 1.
/// `rising`: the upper border grows by one a column, else it is 0. O(m n / 63) words of time, and the memory
/// of a column and of a few thousand columns of the text.
[[nodiscard]] std::vector<std::int8_t> last_row_steps(const coded_pair& pair, bool rising);

/// The same table costs as much a column as so many cells of strips; a word of plain columns, `word_cells`.
inline constexpr index_t word_cells = 160;
[[nodiscard]] index_t last_row_cells(index_t rows);

}  // namespace wale::wavefront
