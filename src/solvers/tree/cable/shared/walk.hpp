// walk - the order of one cell's elimination for variants that walk the tree from its last compartment to
// the first: what a compartment gives to its parent is carried in registers where the parent is the next to
// come, and waits in a place of its own where it is not.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/tree/cable/system.hpp"

namespace wale::tree {

struct walk_node {
    double area, axial, joined;
    std::int32_t parent;
    std::int32_t place;         // where what others give waits; -1: nothing waits
    std::int32_t parent_place;  // where this one gives; -1: it is carried
    std::int32_t gates;         // number among those with channels; -1: none
    std::uint8_t region;
    bool carried;  // the one before gave to this one
};

struct walk {
    explicit walk(const cable_system& s) {
        const auto n = static_cast<std::size_t>(s.size);
        std::vector<std::int32_t> place(n, -1);
        const auto claim = [&](std::size_t i) {
            if (place[i] < 0) place[i] = places++;
        };
        for (std::size_t i = 1; i < n; ++i)
            if (const auto p = static_cast<std::size_t>(s.parent[i]); p + 1 != i) claim(p);
        for (const cable_clamp& c : s.clamps) claim(static_cast<std::size_t>(c.compartment));
        for (std::size_t i = 0; i < n; ++i) {
            const bool follows = i > 0 && s.parent[i] + 1 == static_cast<std::int32_t>(i);
            const std::int32_t to = i == 0 || follows ? -1 : place[static_cast<std::size_t>(s.parent[i])];
            nodes.push_back({s.area[i], s.axial[i], s.joined[i], s.parent[i], place[i], to,
                             s.active[i] ? gated++ : -1, s.region[i],
                             i + 1 < n && s.parent[i + 1] == static_cast<std::int32_t>(i)});
        }
    }
    std::vector<walk_node> nodes;
    std::int32_t places = 0, gated = 0;
};

}  // namespace wale::tree
