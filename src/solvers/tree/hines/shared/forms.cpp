// forms - takes a forest apart, and finds equal trees by their contents.
#include "solvers/tree/hines/shared/forms.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "solvers/tree/topology.hpp"

namespace wale::tree {
namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// The tree of every node, by the number of its root among the roots.
std::vector<std::int32_t> trees_of(const topology& t) {
    std::vector<std::int32_t> tree(t.parent.size());
    for (std::size_t r = 0; r < t.roots.size(); ++r) tree[at(t.roots[r])] = static_cast<std::int32_t>(r);
    for (const std::int32_t node : t.order)
        if (t.parent[at(node)] >= 0) tree[at(node)] = tree[at(t.parent[at(node)])];
    return tree;
}

std::uint64_t hash_of(const form& f) {
    std::uint64_t h = at(f.size());
    for (std::size_t k = 0; k < f.node.size(); ++k) {
        h ^= static_cast<std::uint64_t>(static_cast<std::uint32_t>(f.node[k])) << 32 |
             static_cast<std::uint32_t>(f.parent[k]);
        h *= 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

}  // namespace

forms::forms(const topology& t) {
    const std::vector<std::int32_t> tree = trees_of(t);
    std::vector<std::int64_t> first(t.roots.size() + 1, 0);  // nodes by tree, in the order of the topology
    for (const std::int32_t r : tree) ++first[at(r) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::int32_t> sorted(tree.size()), position(tree.size());
    std::vector<std::int64_t> next(first.begin(), first.end() - 1);
    for (const std::int32_t node : t.order) {
        const std::size_t r = at(tree[at(node)]);
        position[at(node)] = static_cast<std::int32_t>(next[r] - first[r]);
        sorted[at(next[r]++)] = node;
    }
    std::unordered_multimap<std::uint64_t, std::int32_t> known;
    for (std::size_t r = 0; r < t.roots.size(); ++r) {
        const auto begin = sorted.begin() + first[r], end = sorted.begin() + first[r + 1];
        const auto [least, most] = std::minmax_element(begin, end);
        form f;
        f.extent = *most - *least + 1;
        for (auto node = begin; node != end; ++node) {
            const std::int32_t p = t.parent[at(*node)];
            f.node.push_back(*node - *least);
            f.parent.push_back(p < 0 ? -1 : position[at(p)]);
        }
        const std::uint64_t h = hash_of(f);
        std::int32_t found = -1;
        for (auto [k, last] = known.equal_range(h); k != last; ++k)
            if (all[at(k->second)] == f) found = k->second;
        if (found < 0) {
            found = static_cast<std::int32_t>(all.size());
            known.emplace(h, found);
            all.push_back(std::move(f));
        }
        trees.push_back({found, *least});
    }
    std::vector<std::int32_t> by_size(all.size()), rank(all.size());
    std::iota(by_size.begin(), by_size.end(), 0);
    std::ranges::stable_sort(
        by_size, [&](std::int32_t a, std::int32_t b) { return all[at(a)].size() > all[at(b)].size(); });
    std::vector<form> ordered;
    for (std::size_t k = 0; k < by_size.size(); ++k) {
        rank[at(by_size[k])] = static_cast<std::int32_t>(k);
        ordered.push_back(std::move(all[at(by_size[k])]));
    }
    all = std::move(ordered);
    for (member& m : trees) m.form = rank[at(m.form)];
    std::ranges::sort(trees, [](const member& a, const member& b) {
        return a.form != b.form ? a.form < b.form : a.base < b.base;
    });
    starts.assign(all.size() + 1, 0);
    for (const member& m : trees) ++starts[at(m.form) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
}

std::shared_ptr<const forms> forms_of(const topology& t) {
    return t.kept<forms>("forms", [&] { return std::make_shared<const forms>(t); });
}

form_children::form_children(const form& f) : start(f.node.size() + 1, 0) {
    for (const std::int32_t p : f.parent)
        if (p >= 0) ++start[at(p) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    child.resize(f.node.empty() ? 0 : f.node.size() - 1);
    std::vector<std::int32_t> next(start.begin(), start.end() - 1);
    for (std::int32_t k = 0; k < f.size(); ++k)
        if (f.parent[at(k)] >= 0) child[at(next[at(f.parent[at(k)])]++)] = k;
}

}  // namespace wale::tree
