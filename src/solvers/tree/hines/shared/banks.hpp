// banks - who sits beside whom, so that lanes that read at the same time read from different banks.
#pragma once

#include <cstdint>
#include <vector>

namespace wale::tree {

/// Chains of places, lane by lane. Exchanges lanes, and chains within a lane, as long as that does not make
/// half warps wait longer for their 8-byte words. `tries` exchanges, the same ones every time.
void spread_over_banks(std::vector<std::vector<std::vector<std::int32_t>>>& lanes,
                       const std::vector<std::int32_t>& place_of, int tries);

}  // namespace wale::tree
