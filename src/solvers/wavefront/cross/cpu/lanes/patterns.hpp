// patterns - one target a lane: what the kernels of cpu/lanes get. All lanes read the same query at the same
// time, so a symbol's masks are one load. A lane has 8, 16, 32 or 64 bits, whatever the targets need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <wale/layout.hpp>

namespace wale::wavefront {

struct pattern_group {
    int lane_bits;      // 8, 16, 32 or 64
    std::size_t words;  // a lane; more than one of 64 bits only
    std::size_t lanes;
    const void* masks;  // [code][word][lane]: the target's symbols, a bit each, from bit 0 on
    const void* rows;   // [word][lane]: the bits that are symbols
};

struct coded_query {
    const void* codes;
    int code_bytes;  // 1 or 4
    index_t size;
};

/// Lanes of a vector; 8 to 64 bits each.
[[nodiscard]] std::size_t pattern_lanes(int lane_bits);

/// answers[lane] of the lane's target and the query.
void edit_patterns(const pattern_group&, const coded_query&, std::int32_t* answers);
void lcs_patterns(const pattern_group&, const coded_query&, std::int32_t* answers);

}  // namespace wale::wavefront
