// sides - right sides in lanes, solved with factors: of one chain, the same for all lanes, or of as many
// chains as there are lanes.
#pragma once

#include "solvers/tree/elimination/lanes/lane_set.hpp"

namespace wale::tree {

struct side_group : lane_set {
    lane_array x;  // in place, or from `from`
    lane_array from;
    void* to = nullptr;  // x's elements
    bool stream = false, transposed = false;
    factor_form form;
    const void* factors = nullptr;  // factor_rows' words: of one chain, or [..][pitch]
    bool of_one = true;
    index_t factor_pitch = 1;  // from a number of a chain to its next
    index_t ahead = 0;         // rows to prefetch ahead where lanes lie side by side
    void* scratch = nullptr;   // side_scratch() elements, on a cache line
};

/// Elements: a row before the first, the rows, the last unknown, all of `pitch` lanes.
[[nodiscard]] constexpr index_t side_scratch(index_t rows, index_t pitch, index_t vector) {
    return ((rows + vector - 1) / vector * vector + 2) * pitch;
}
void solve_sides(scalar type, const side_group& g);

}  // namespace wale::tree
