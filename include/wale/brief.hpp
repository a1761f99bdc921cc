// brief - length and distance of two short texts alone, without a report: some ten nanoseconds beside the
// cells.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <wale/infix.hpp>
#include <wale/sequence.hpp>

namespace wale {

struct brief_result {
    index_t value = 0;
    const char* variant = "";  // the row of the table whose method it is
};

/// Length of the longest common subsequence of two texts in host memory, on the calling thread. Nothing where
/// the shorter text has more than some hundred symbols beside the common ends, or more than 64 of two or four
/// bytes and the texts more than 256 different ones: lcs_length() takes any. Throws bad_argument for what lcs_length() refuses.
[[nodiscard]] std::optional<brief_result> brief_lcs_length(sequence_view a, sequence_view b);

/// Unit-cost edit distance, or bound + 1 above a bound >= 0; the rest as above, beside edit_distance().
[[nodiscard]] std::optional<brief_result> brief_edit_distance(sequence_view a, sequence_view b,
                                                              index_t bound = -1);

/// The same of many pairs one after the other: answers[k] of a[k] and b[k]. False where a pair is not short;
/// the answers then mean nothing. Throws bad_argument for what one pair is refused for, and for spans of
/// several sizes.
[[nodiscard]] bool brief_lcs_lengths(std::span<const sequence_view> a, std::span<const sequence_view> b,
                                     std::span<std::int32_t> answers);
[[nodiscard]] bool brief_edit_distances(std::span<const sequence_view> a, std::span<const sequence_view> b,
                                        std::span<std::int32_t> answers, index_t bound = -1);

/// Which part of the text a whole query is aligned to: all of it, any, or one that begins where the text
/// begins.
enum class brief_mode { global, infix, prefix };

/// Unit-cost alignment of a query to the nearest parts of a text, as infix_align() has it; of mode `global`
/// the one part is the whole text. `distance` is -1 above a bound >= 0. Nothing where the query has more than
/// 256 bytes or wider symbols, the text more than 2^16, or one of them none.
[[nodiscard]] std::optional<infix_match> brief_align(sequence_view query, sequence_view text, brief_mode mode,
                                                     infix_task task, index_t bound = -1);

}  // namespace wale
