// group - systems that share vectors, one a lane: where their elements and their scratch memory lie. The host
// cuts a job into groups, the vector code (sweeps.cpp) takes one group at a time.
#pragma once

#include <vector>

#include "solvers/tree/chains/thomas/factors.hpp"

namespace wale::tree {

/// One array of a job as a group sees it: element k of lane w is at data[at[w] + k * step]. `side_by_side`:
/// at[w] = at[0] + w, and the lanes fill whole vectors.
struct lane_array {
    const void* data = nullptr;
    index_t step = 1;
    bool side_by_side = false;
    const index_t* at = nullptr;  // [pitch]: beyond the lanes the last one's, again
};

/// The lanes of a group.
struct lane_set {
    const index_t* sizes = nullptr;  // [lanes]: rows of each
    index_t lanes = 0;
    index_t pitch = 0;       // lanes rounded up to whole vectors
    index_t rows = 0;        // of the longest
    bool ragged = false;     // sizes differ
    index_t next_group = 0;  // from a lane to the one that has its place in the next group: worth asking for
};

struct chain_group : lane_set {
    lane_array diagonal, lower, upper, rhs, solution;
    void* to = nullptr;  // the solution's elements
    bool transposed = false;
    bool stream = false;  // the solution should bypass the caches
    factor_form form;
    bool woven = false;  // the four words of a row stand together: `weave` has all, [4 rows], step 1
    lane_array weave;
    int word_of[4] = {};      // diagonal, rhs, lower, upper: which word of a row
    index_t ahead = 0;        // rows to prefetch ahead where lanes lie side by side
    void* scratch = nullptr;  // scratch_bytes(), on a cache line
    bool* poor = nullptr;  // [pitch], out: lanes with a pivot that has no reciprocal, or an unstable border
};

/// Lanes of a vector of this machine.
[[nodiscard]] index_t vector_lanes(scalar type);
/// Down the rows: reads the job. Up: writes the solution, which may be the right side's memory.
void lanes_down(scalar type, const chain_group& g);
void lanes_up(scalar type, const chain_group& g);

}  // namespace wale::tree
