// levels - the order in which a block's lanes take one tree together: in each step the deepest of the nodes
// whose children are done, as many as there are lanes. No order has fewer steps (Hu 1961; Dendritic
// Hierarchical Scheduling, Zhang et al. 2023). A lane that goes from a node to its parent keeps the share in
// its registers; other shares are gathered by the parent, in the order of its children.
#pragma once

#include <cstdint>
#include <vector>

#include "base/host_device.hpp"
#include "solvers/tree/hines/shared/forms.hpp"

namespace wale::tree {

/// What a lane does in a step.
struct level_row {
    std::uint32_t bits;  // node, from the tree's lowest; and flags
    std::int32_t edge;   // the node whose couplings lead to the parent; ~edge: from the other side
    std::int32_t in;     // the first share to gather; -1: none
    std::int32_t out;    // where the share goes; carried: to the lane's next step
    static constexpr std::uint32_t idle = 1u << 31;
    static constexpr std::uint32_t taken = 1u << 30;  // the node takes the lane's share of the step before
    static constexpr std::uint32_t barrier_upwards = 1u << 29;    // a barrier before this step: on the way up
    static constexpr std::uint32_t barrier_downwards = 1u << 28;  // ... and on the way down
    static constexpr std::uint32_t most_nodes = 1u << 28;
    static constexpr std::int32_t carried = -1, root = -2;
    [[nodiscard]] WALE_HD bool is(std::uint32_t flag) const { return (bits & flag) != 0; }
    [[nodiscard]] WALE_HD std::int32_t node() const { return static_cast<std::int32_t>(bits % most_nodes); }
};

struct levels {
    static constexpr int ahead = 4;  // steps come by so many; two such groups of idle ones end the rows

    /// `centred`: rooted anew at the tree's centre, which halves the steps of a slender tree.
    levels(const form& f, int lanes, bool centred);
    std::vector<level_row> rows;              // [(steps + 2 * ahead) * lanes]
    std::vector<std::int32_t> share_ends;     // [shares] of the shares that are gathered with this one
    std::vector<std::int32_t> share_parents;  // [shares] the node that gathers it
    int steps = 0;                            // a multiple of `ahead`
    int lanes = 0;
};

}  // namespace wale::tree
