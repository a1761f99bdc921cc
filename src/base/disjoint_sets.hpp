// disjoint_sets - things that are one and the same, or connected, found pair by pair (Tarjan's union-find).
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>
#include <wale/layout.hpp>

namespace wale::base {

class disjoint_sets {
public:
    explicit disjoint_sets(index_t count) : parent_(static_cast<std::size_t>(count)) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    /// The least member of a's set.
    index_t find(index_t a) {
        while (at(a) != a) a = at(a) = at(at(a));
        return a;
    }

    void join(index_t a, index_t b) {
        a = find(a);
        b = find(b);
        at(std::max(a, b)) = std::min(a, b);
    }

private:
    index_t& at(index_t i) { return parent_[static_cast<std::size_t>(i)]; }
    std::vector<index_t> parent_;
};

}  // namespace wale::base
