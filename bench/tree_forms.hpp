// tree_forms - parents of trees of many forms, numbered depth first, for the benchmarks of trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>
#include <wale/layout.hpp>

namespace wale::bench::forms {

/// Depth first, mostly unbranched, as neurons are: a branch point every 14 nodes or so.
inline std::vector<std::int32_t> neuron(index_t nodes) {
    std::mt19937 engine(1);
    std::vector<std::int32_t> parent(static_cast<std::size_t>(nodes), -1), open;
    for (std::int32_t i = 1; i < nodes; ++i) {
        const bool ends = engine() % 14 == 0 && !open.empty();
        parent[static_cast<std::size_t>(i)] = ends ? open.back() : i - 1;
        if (ends) open.pop_back();
        if (engine() % 14 == 0) open.push_back(i);
    }
    return parent;
}

inline std::vector<std::int32_t> path(index_t nodes) {
    std::vector<std::int32_t> parent(static_cast<std::size_t>(nodes));
    for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = static_cast<std::int32_t>(i) - 1;
    return parent;
}

inline std::vector<std::int32_t> star(index_t nodes) {
    std::vector<std::int32_t> parent(static_cast<std::size_t>(nodes), 0);
    parent.front() = -1;
    return parent;
}

/// Each node's descendants are halved between its two children, depth first.
inline std::vector<std::int32_t> binary(index_t nodes) {
    struct part {
        std::int32_t parent;
        index_t nodes;
    };
    std::vector<std::int32_t> parent;
    for (std::vector<part> open{{-1, nodes}}; !open.empty();) {
        const part p = open.back();
        open.pop_back();
        if (p.nodes == 0) continue;
        const auto node = static_cast<std::int32_t>(parent.size());
        parent.push_back(p.parent);
        open.push_back({node, (p.nodes - 1) / 2});
        open.push_back({node, p.nodes - 1 - (p.nodes - 1) / 2});
    }
    return parent;
}

/// Every node is the child of a node before it, then numbered depth first.
inline std::vector<std::int32_t> random_tree(index_t nodes) {
    std::mt19937 engine(2);
    std::vector<std::int32_t> any(static_cast<std::size_t>(nodes), -1);
    for (std::size_t i = 1; i < any.size(); ++i) any[i] = static_cast<std::int32_t>(engine() % i);
    std::vector<std::vector<std::int32_t>> children(any.size());
    for (std::size_t i = 1; i < any.size(); ++i)
        children[static_cast<std::size_t>(any[i])].push_back(static_cast<std::int32_t>(i));
    std::vector<std::int32_t> parent, number(any.size()), open{0};
    while (!open.empty()) {
        const auto node = static_cast<std::size_t>(open.back());
        open.pop_back();
        number[node] = static_cast<std::int32_t>(parent.size());
        parent.push_back(any[node] < 0 ? -1 : number[static_cast<std::size_t>(any[node])]);
        open.insert(open.end(), children[node].begin(), children[node].end());
    }
    return parent;
}

}  // namespace wale::bench::forms
