// scan - one query a lane: what the kernel of cpu/lanes gets. All lanes are in the same column of one text at
// the same time, so a symbol's masks are one load.
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

namespace wale::wavefront {

inline constexpr int scan_vectors = 2;  // at most, side by side: one alone waits for its own last result

struct scan_group {
    std::size_t words;           // of 64 rows, in every lane
    std::size_t lanes;           // of all vectors
    int planes;                  // 0: masks of codes, which are bytes; else bit planes of codes
    const std::uint64_t* masks;  // [code or plane][word][lane]: rows that hold the code, or the bit of theirs
    const std::uint64_t* end_rows;  // [lane]: the last word's bits that are rows
    const void* text;               // codes
    int code_bytes;                 // 1 or 4
    index_t first, report, last;    // columns to compute, and the first one whose ends count
    bool prefix;                    // the upper border rises by one a column; else it is 0
    std::uint64_t* state;           // 2 * words * lanes for the kernel
    std::int64_t* bounds;  // [lane]: the largest distance that is wanted; falls to the least one found
    void* context;         // of `found`
    void (*found)(void* context, std::size_t lane, index_t end, std::int64_t distance);
};

/// Calls `found` for each end, ascending, whose distance is not above the lane's bound, which is then lowered
/// to that distance.
void scan(const scan_group&);

}  // namespace wale::wavefront
