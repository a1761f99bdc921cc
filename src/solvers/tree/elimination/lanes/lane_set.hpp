// lane_set - systems that share vectors, one a lane: where their elements are. The host cuts a job into
// groups, the vector code takes one group at a time.
#pragma once

#include <vector>

#include "solvers/tree/elimination/factors.hpp"

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

/// Lanes of a vector of this machine.
[[nodiscard]] index_t vector_lanes(scalar type);

}  // namespace wale::tree
