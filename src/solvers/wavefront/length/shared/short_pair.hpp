// short_pair - one pair of short texts: no codes, no memory but the stack's, no choice of a row. What
// surrounds such a pair costs more than its cells.
#pragma once

#include <optional>
#include <wale/brief.hpp>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// Of texts whose shorter one has, without what both have in common at their ends, at most so many symbols.
inline constexpr index_t most_short_edit = 256, most_short_lcs = 384;

/// LCS length; nothing where the pair is not short.
[[nodiscard]] std::optional<brief_result> short_length(const symbols& a, const symbols& b);

/// Edit distance, bound + 1 above a bound >= 0; nothing where the pair is not short.
[[nodiscard]] std::optional<brief_result> short_distance(const symbols& a, const symbols& b, index_t bound);

}  // namespace wale::wavefront
