// part - a rank's part of a mesh: its own cells, those of others that they look at, and the ranks that need
// them what.
#pragma once

#include <span>
#include <vector>

#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

/// Cells of a part, by where they lie: those that other ranks look at come first, so that they can be
/// computed first and sent while the rest is computed.
///
///     0 ... sent ... owned . padded ... near ... cells
///     [ ours, seen ][ ours ][copies][ halo ][ halo of the halo ]
struct mesh_part {
    std::vector<std::int32_t> cells;  // the system's number of each
    index_t sent = 0, owned = 0, padded = 0, near = 0;
    /// Cells, by their place in the part, whose states go to a rank or come from it, in the system's order.
    struct peer {
        int rank;
        std::vector<std::int32_t> send, receive;
    };
    std::vector<peer> peers;
};

/// The part of `rank`, where owner[cell] is the rank of each cell and the part's own cells lie in `order`
/// (order[i]: a cell). The halo is `layers` deep: what a cell's
/// residual looks at; a cell's own gradient is asked for up to `near`, its first layer. Its own cells are
/// filled up to a multiple of `lanes` with copies of the last. The halo of every rank is found, by every rank
/// alike: O(rows).
[[nodiscard]] mesh_part cut_part(const mesh& m, std::span<const std::int32_t> owner,
                                 std::span<const std::int32_t> order, int rank, int layers,
                                 index_t lanes = 1);

/// The part as a mesh of its own. Faces keep their order; neighbours beyond the halo become the cell itself:
/// no rank computes with them.
[[nodiscard]] mesh mesh_of_part(const mesh& m, const mesh_part& part);

/// How far away a cell's residual looks.
[[nodiscard]] int layers_of(const flow_system& system);

/// What the system of a part is asked for: as the whole, but nothing is renumbered or joined again.
[[nodiscard]] euler_options options_of_part(const euler_options& whole);

}  // namespace wale::euler
