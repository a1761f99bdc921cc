// nearest - the parts of a text that are nearest to one query.
#pragma once

#include "solvers/wavefront/infix/shared/word_columns.hpp"
#include "solvers/wavefront/search_jobs.hpp"

namespace wale::wavefront {

/// Of a query that takes_words() takes; distances above `bound` are not wanted.
[[nodiscard]] infix_best nearest_in_words(const symbols& query, const symbols& text, bool prefix,
                                          index_t bound);

/// The same of any query.
[[nodiscard]] infix_best nearest_in_strips(const symbols& query, const symbols& text, bool prefix,
                                           index_t bound);

/// What the ends of the nearest parts make of a match by its task.
[[nodiscard]] infix_match match_of(const infix_best& best, const symbols& query, const symbols& text,
                                   bool prefix, infix_task task);

}  // namespace wale::wavefront
