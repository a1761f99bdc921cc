// partition - a tree cut for a team of lanes. Branch points, the root and, where a branch is too long, nodes
// of it are separators; what is left are chains with one separator above and at most one below. Each lane
// eliminates its chains by itself, which leaves a tree of separators alone. That one is contracted in rounds
// (Miller and Reif 1985): leaves, and nodes between two others, as many at once as do not touch. Chains are
// domain decomposition as in SPIKE, rounds are cyclic reduction on a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "base/host_device.hpp"
#include "solvers/tree/hines/shared/forms.hpp"

namespace wale::tree {

struct team_size {
    int lanes, rows;  // of a lane: the most nodes of chains that it takes
    int tries = 0;    // exchanges to be tried, so that lanes side by side find their nodes in different banks
};

/// One node of a lane's chains. The numbers of nodes are places from the tree's lowest.
struct chain_row {
    std::uint32_t where, link;
    static constexpr std::uint32_t none = 0xffff;
    static constexpr std::int32_t most_extent = 1 << 14;
    [[nodiscard]] WALE_HD bool first() const { return (where & 1) != 0; }  // of its chain, from below
    [[nodiscard]] WALE_HD bool last() const { return (where & 2) != 0; }
    [[nodiscard]] WALE_HD bool has_separator() const { return (where >> 31) != 0; }  // below the chain
    [[nodiscard]] WALE_HD std::uint32_t node() const { return where >> 3 & 0x3fff; }
    [[nodiscard]] WALE_HD std::uint32_t node_below() const { return where >> 17 & 0x3fff; }
    /// On the way up the chain's number, on the way down the separator above; the separator below or none.
    [[nodiscard]] WALE_HD std::uint32_t number() const { return link & 0xffff; }
    [[nodiscard]] WALE_HD std::uint32_t below() const { return link >> 16; }
};

/// A separator; its number is its place in the order of elimination.
struct separator {
    std::uint32_t node;
    std::uint32_t bare;                 // 1: its edge to the separator above has no chain
    std::uint32_t first_chain, chains;  // that end in it from below
    std::uint32_t parent, child;        // when it is eliminated; chain_row::none: there is none
    std::uint32_t first_share, shares;  // what earlier separators have left for it
    std::uint32_t to_parent, to_child;  // where its own shares go; both are places of shares
};

struct partition {
    /// Fails never where `fits`. Rows without a node point to place `idle`.
    partition(const form& f, const team_size& team, std::int32_t idle);
    [[nodiscard]] static bool fits(const form& f, const team_size& team);

    std::vector<chain_row> up, down;    // [rows * lanes] row k of lane j at k * lanes + j, lowest first
    std::vector<separator> separators;  // in the order of elimination
    std::vector<std::int32_t> rounds;   // [rounds + 1] first separator of each
    std::int32_t chains = 0;
    std::int32_t shares = 0;  // places for them; the last one takes what is of no use

private:
    struct contracted;
    void put_separators(const contracted& t, const form& f);
};

}  // namespace wale::tree
