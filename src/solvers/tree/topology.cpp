// topology - checks the parents, counts children, finds an order without recursion.
#include "solvers/tree/topology.hpp"
#include "base/argument.hpp"

#include <algorithm>
#include <numeric>
#include <wale/error.hpp>

namespace wale::tree {
namespace {

constexpr index_t most_nodes = 2147483647;

std::size_t at(std::int32_t node) {
    return static_cast<std::size_t>(node);
}

[[noreturn]] void fail(index_t node, const std::string& what) {
    throw bad_argument("parent[" + std::to_string(node) + "]: " + what);
}

/// A node of a cycle, from one whose ancestors never end.
std::int32_t in_cycle(const std::vector<std::int32_t>& parent, std::int32_t node) {
    for (std::size_t i = 0; i < parent.size(); ++i) node = parent[at(node)];  // now it is inside for certain
    std::int32_t least = node;
    for (std::int32_t k = parent[at(node)]; k != node; k = parent[at(k)]) least = std::min(least, k);
    return least;
}

}  // namespace

topology::topology(std::span<const std::int32_t> parents, bool forest)
    : parent(parents.begin(), parents.end()) {
    const index_t n = static_cast<index_t>(parents.size());
    if (n > most_nodes)
        base::refuse("parent", "has " + std::to_string(n) + " nodes",
                     "at most " + std::to_string(most_nodes));
    for (index_t i = 0; i < n; ++i) {
        const std::int32_t p = parent[static_cast<std::size_t>(i)];
        if (p < -1 || p >= n || p == i)
            fail(i, "is " + std::to_string(p) + (p == i ? ", the node itself" : "") + ", expected -1 to " +
                        std::to_string(n - 1));
        if (p >= i) ascending = false;
        if (p >= 0) continue;
        if (!roots.empty() && !forest)
            fail(i, "is -1, a second root beside node " + std::to_string(roots.front()) +
                        ", expected one root unless a forest is declared");
        roots.push_back(static_cast<std::int32_t>(i));
    }
    find_children();
    find_order();
    measure();
}

void topology::find_children() {
    child_start.assign(parent.size() + 1, 0);
    for (const std::int32_t p : parent)
        if (p >= 0) ++child_start[at(p) + 1];
    std::partial_sum(child_start.begin(), child_start.end(), child_start.begin());
    children.resize(parent.size() - roots.size());
    std::vector<std::int64_t> next(child_start.begin(), child_start.end() - 1);
    for (std::size_t i = 0; i < parent.size(); ++i)
        if (parent[i] >= 0)
            children[static_cast<std::size_t>(next[at(parent[i])]++)] = static_cast<std::int32_t>(i);
}

void topology::find_order() {
    order.reserve(parent.size());
    if (ascending) {
        order.resize(parent.size());
        std::iota(order.begin(), order.end(), 0);
        return;
    }
    std::vector<std::int32_t> open(roots.rbegin(), roots.rend());
    while (!open.empty()) {
        const std::int32_t node = open.back();
        open.pop_back();
        order.push_back(node);
        const auto own = children_of(node);
        open.insert(open.end(), own.rbegin(), own.rend());
    }
    if (order.size() == parent.size()) return;
    std::vector<char> seen(parent.size(), 0);
    for (const std::int32_t node : order) seen[at(node)] = 1;
    const auto lost = std::find(seen.begin(), seen.end(), 0) - seen.begin();
    const std::int32_t node = in_cycle(parent, static_cast<std::int32_t>(lost));
    fail(node, "is " + std::to_string(parent[at(node)]) + ", which closes a cycle");
}

void topology::measure() {
    std::vector<std::int32_t> level(parent.size(), 0), below(parent.size(), 1);
    for (const std::int32_t node : order) {
        if (parent[at(node)] >= 0) level[at(node)] = level[at(parent[at(node)])] + 1;
        depth = std::max<index_t>(depth, level[at(node)]);
        branches += children_of(node).size() > 1;
    }
    depth_first = ascending;
    if (!ascending) return;
    for (std::size_t i = parent.size(); i-- > 0;)
        if (parent[i] >= 0) below[at(parent[i])] += below[i];
    const auto follow = [&](std::int32_t expected, std::span<const std::int32_t> nodes) {
        for (const std::int32_t node : nodes) {
            if (node != expected) depth_first = false;
            expected += below[at(node)];
        }
    };
    follow(0, roots);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(parent.size()); ++i) follow(i + 1, children_of(i));
}

}  // namespace wale::tree
