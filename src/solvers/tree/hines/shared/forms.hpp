// forms - the trees of a forest, equal ones together: a schedule is made once for each form and used for
// every tree that has it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>
#include <wale/layout.hpp>

namespace wale::tree {

struct topology;

/// One tree by itself. Equal forms have equal contents, whatever their place in the vector.
struct form {
    std::vector<std::int32_t> node;    // [size] places, counted from the tree's lowest; parents come first
    std::vector<std::int32_t> parent;  // [size] by position in `node`; -1: the root, at position 0
    std::int32_t extent = 0;           // places from the lowest to the highest node
    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(node.size()); }
    bool operator==(const form&) const = default;
};

struct forms {
    struct member {
        std::int32_t form, base;  // which form; the tree's lowest node
    };
    explicit forms(const topology& t);
    std::vector<form> all;             // largest first
    std::vector<member> trees;         // by form, then by base
    std::vector<std::int64_t> starts;  // [forms + 1] into trees
};

/// The forms of a topology, found once and kept with it.
[[nodiscard]] std::shared_ptr<const forms> forms_of(const topology& t);

/// Positions of the children of each node of a form: child[start[k] .. start[k + 1]), ascending.
struct form_children {
    explicit form_children(const form& f);
    std::vector<std::int32_t> start, child;
    [[nodiscard]] std::int32_t count(std::int32_t k) const {
        return start[static_cast<std::size_t>(k) + 1] - start[static_cast<std::size_t>(k)];
    }
};

}  // namespace wale::tree
