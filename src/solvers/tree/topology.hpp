// topology - what the parents alone say of a tree: its order, its children; and the schedules that variants
// make of it once and keep.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>
#include <wale/layout.hpp>

namespace wale::tree {

struct topology {
    /// Throws bad_argument naming the node: a parent out of range, a cycle, no root or too many.
    topology(std::span<const std::int32_t> parents, bool forest);
    topology(const topology&) = delete;
    topology& operator=(const topology&) = delete;

    [[nodiscard]] index_t size() const { return static_cast<index_t>(parent.size()); }
    /// The children of a node, ascending.
    [[nodiscard]] std::span<const std::int32_t> children_of(std::int32_t node) const {
        const auto n = static_cast<std::size_t>(node);
        return {children.data() + child_start[n], children.data() + child_start[n + 1]};
    }

    std::vector<std::int32_t> parent;  // [n] -1: root
    std::vector<std::int32_t> order;   // [n] every node after its parent; 0, 1, 2, ... where `ascending`,
                                       // else depth first
    std::vector<std::int32_t> roots;   // ascending
    std::vector<std::int64_t> child_start;  // [n + 1] into children
    std::vector<std::int32_t> children;     // [n - roots]
    index_t branches = 0;                   // nodes with two children or more
    index_t depth = 0;                      // edges from a root to the farthest leaf
    bool ascending = true;                  // every parent's number is lower than its children's
    bool depth_first = true;                // ascending, and every subtree's nodes are consecutive

    /// What `make` returned at the first call with this key ("cuda/levels of device 0"); kept with the
    /// topology. Any number of threads may ask; one makes it while the others wait.
    template <class T>
    [[nodiscard]] std::shared_ptr<const T> kept(const std::string& key,
                                                const std::function<std::shared_ptr<const T>()>& make) const {
        const std::scoped_lock lock(mutex_);
        std::shared_ptr<const void>& slot = kept_[key];
        if (!slot) slot = make();
        return std::static_pointer_cast<const T>(slot);
    }

private:
    void find_children();
    void find_order();
    void measure();
    mutable std::mutex mutex_;
    mutable std::map<std::string, std::shared_ptr<const void>> kept_;
};

}  // namespace wale::tree
