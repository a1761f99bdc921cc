// rank_messages - what the ranks of a group send each other beside their shared computation. All calls are
// collective.
#pragma once

#include <functional>
#include <string>
#include <vector>
#include <wale/ranks.hpp>

namespace wale {

/// Every rank's bytes, by rank; `own` alone where the group is empty.
[[nodiscard]] std::vector<std::string> gather(const ranks& group, const std::string& own);
/// The same for rank 0 only; the others get nothing.
[[nodiscard]] std::vector<std::string> gather_first(const ranks& group, const std::string& own);
/// Rank 0 makes bytes for each rank, one after the other, and each gets its own. `part` is called on rank 0.
[[nodiscard]] std::string scatter(const ranks& group, const std::function<std::string(int rank)>& part);
/// CPU threads for this rank: the processors that it may use, shared evenly with the ranks that may use the
/// same ones. available_threads() where the group is empty.
[[nodiscard]] int threads_for(const ranks& group);

}  // namespace wale
