// path - the operations that turn one sequence into another at the least unit cost, and where the parts of a
// text begin whose ends are known.
#pragma once

#include <string>

#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

/// = X I D with their counts, along the rows `query` and the columns `text`, which is at `distance` from it,
/// from end to end.
[[nodiscard]] std::string cigar_of(const symbols& query, const symbols& text, index_t distance);

/// The same of a query that takes_words() takes, by the rule of ties that the
/// rows of alignments have: a pair before a gap, a gap in the query before one in the text.
[[nodiscard]] std::string paired_cigar(const symbols& query, const symbols& text, index_t distance);

/// The same of any query, an operation after the other: '=', 'X', 'D' and 'I'.
[[nodiscard]] std::string paired_operations(const symbols& query, const symbols& text, index_t distance);

/// The first position from which text[begin, end) is at `distance` from the query; nothing smaller is.
[[nodiscard]] index_t begin_of(const symbols& query, const symbols& text, index_t end, index_t distance);

}  // namespace wale::wavefront
