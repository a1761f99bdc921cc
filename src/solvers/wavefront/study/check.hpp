// check - whether results are right, without trusting the code that made them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// Why the host table is not the one that `job` asks for; empty if it is. Every cell is recomputed from its
/// three neighbours in the table and compared: by induction from the border that equals comparing with the
/// reference, but needs no second table and no order.
[[nodiscard]] std::string wrong_table(const fill_job& job);

/// The same for the rows [begin, end) of a table in pieces: `rows` starts with row begin - 1, unless begin is
/// 0.
[[nodiscard]] std::string wrong_rows(const fill_job& job, const void* rows, index_t begin, index_t end);

/// Why the positions do not spell a common subsequence of a and b; empty if they do.
[[nodiscard]] std::string wrong_subsequence(std::string_view a, std::string_view b,
                                            const std::vector<index_t>& in_a,
                                            const std::vector<index_t>& in_b);

}  // namespace wale::wavefront
