// brief - length and distance of two short texts alone, without a report: some ten nanoseconds beside the
// cells.
#pragma once

#include <optional>
#include <wale/sequence.hpp>

namespace wale {

struct brief_result {
    index_t value = 0;
    const char* variant = "";  // the row of the table whose method it is
};

/// Length of the longest common subsequence of two texts in host memory, on the calling thread. Nothing where
/// the shorter text has more than some hundred symbols (64 of two or four bytes) beside the common ends:
/// lcs_length() takes any. Throws bad_argument for what lcs_length() refuses.
[[nodiscard]] std::optional<brief_result> brief_lcs_length(sequence_view a, sequence_view b);

/// Unit-cost edit distance, or bound + 1 above a bound >= 0; the rest as above, beside edit_distance().
[[nodiscard]] std::optional<brief_result> brief_edit_distance(sequence_view a, sequence_view b,
                                                              index_t bound = -1);

}  // namespace wale
