// tile - one pair a lane: what the kernel of cpu/lanes gets. All lanes are in the same column at the
// same time.
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

namespace wale::wavefront {

struct lane_group {
    int words;                    // of rows, in every lane
    int planes;                   // bits that distinguish the symbols
    const std::uint8_t* bits;     // which ones
    const std::uint64_t* rows;    // [plane][word][lane], bit 1 + row % rows_a_word
    const std::uint8_t* columns;  // [column][lane], the symbols
    const index_t* ends;          // columns of each lane, ascending
    std::uint64_t* state;         // [state][word][lane], out: of each lane at its end
};

void lcs_lanes(const lane_group&);
void edit_lanes(const lane_group&);

}  // namespace wale::wavefront
