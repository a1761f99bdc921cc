// schedule - level after level: numbering, windows, and what each leaves for the next.
#include "solvers/tree/hines/shared/contraction/schedule.hpp"

#include <algorithm>

#include "solvers/tree/hines/shared/contraction/window.hpp"

namespace wale::tree {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

/// The place of each item in the depth-first order in which the child with the most descendants is the last:
/// then at most log2(n) ancestors of any item have children that come later, and a window leaves no more
/// than twice as many. Every item's parent must come before it.
std::vector<std::int32_t> heaviest_last(const std::vector<std::int32_t>& parent) {
    const auto n = static_cast<std::int32_t>(parent.size());
    std::vector<std::int32_t> size(at(n), 1), heavy(at(n), -1), place(at(n)), next(at(n));
    for (std::int32_t i = n; i-- > 0;) {
        const std::int32_t p = parent[at(i)];
        if (p < 0) continue;
        size[at(p)] += size[at(i)];
        if (heavy[at(p)] < 0 || size[at(i)] > size[at(heavy[at(p)])]) heavy[at(p)] = i;
    }
    std::int32_t free = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t p = parent[at(i)];
        std::int32_t& begin = p < 0 ? free : next[at(p)];
        place[at(i)] = p >= 0 && heavy[at(p)] == i ? place[at(p)] + size[at(p)] - size[at(i)] : begin;
        if (place[at(i)] == begin) begin += size[at(i)];
        next[at(i)] = place[at(i)] + 1;
    }
    return place;
}

/// One level being made, and the items that it leaves.
class level_maker {
public:
    level_maker(contraction_items items, std::vector<std::int32_t> node, const contraction_limits& limits)
        : items_(std::move(items)), limits_(limits) {
        level_.node = std::move(node);
        level_.items = static_cast<index_t>(items_.parent.size());
        find_last_children();
        cut();
    }

    /// Whether the caller's order leaves so much that another one pays.
    [[nodiscard]] bool leaves_too_much() const {
        return static_cast<index_t>(rest_.size()) * 8 > level_.items && level_.windows.size() > 1;
    }
    [[nodiscard]] bool is_last() const { return rest_.empty(); }
    [[nodiscard]] contraction_level take() { return std::move(level_); }

    /// The next level's maker; writes the links of this one.
    [[nodiscard]] level_maker next() {
        std::vector<std::int32_t> rank(items_.parent.size(), -1);  // among what is left
        const auto count = static_cast<std::int32_t>(rest_.size());
        for (std::int32_t k = 0; k < count; ++k)
            if (rest_[at(k)].item >= 0) rank[at(rest_[at(k)].item)] = k;
        std::vector<std::int32_t> parent(at(count));
        for (std::int32_t k = 0; k < count; ++k) {
            const std::int32_t p = rest_[at(k)].parent;
            parent[at(k)] = p < 0 ? -1 : rank[at(p)];
        }
        const std::vector<std::int32_t> place = heaviest_last(parent);
        contraction_items items;
        items.parent.resize(at(count));
        items.is_sum.resize(at(count));
        std::vector<std::int32_t> node(at(count), -1);
        for (std::int32_t k = 0; k < count; ++k) {
            const contraction_rest& r = rest_[at(k)];
            const std::int32_t mine = place[at(k)], p = parent[at(k)] < 0 ? -1 : place[at(parent[at(k)])];
            items.parent[at(mine)] = p;
            items.is_sum[at(mine)] = r.item < 0;
            if (r.item >= 0) node[at(mine)] = level_.node.empty() ? r.item : level_.node[at(r.item)];
            level_.links.push_back({r.slot, mine, r.item < 0 ? p : mine});
        }
        return {std::move(items), std::move(node), limits_};
    }

private:
    void find_last_children() {
        items_.last_child.assign(items_.parent.size(), -1);
        for (std::size_t i = 0; i < items_.parent.size(); ++i)
            if (items_.parent[i] >= 0) items_.last_child[at(items_.parent[i])] = static_cast<std::int32_t>(i);
    }

    void cut() {
        contraction_window_maker maker(items_, limits_);
        const auto n = static_cast<std::int32_t>(level_.items);
        for (std::int32_t begin = 0; begin < n;) {
            const std::int32_t end =
                static_cast<std::int32_t>(std::min<index_t>(n, static_cast<index_t>(begin) + limits_.window));
            maker.make(begin, end);
            const auto cells = static_cast<std::int32_t>(maker.cells().size());
            level_.windows.push_back({begin, end - begin, static_cast<std::int32_t>(level_.cells.size()),
                                      cells, static_cast<std::int32_t>(rest_.size()),
                                      static_cast<std::int32_t>(maker.rest().size()), maker.steps(),
                                      maker.list()});
            level_.cells.insert(level_.cells.end(), maker.cells().begin(), maker.cells().end());
            rest_.insert(rest_.end(), maker.rest().begin(), maker.rest().end());
            level_.most_items = std::max(level_.most_items, end - begin);
            level_.most_slots = std::max(level_.most_slots, maker.slots());
            level_.most_cells = std::max(level_.most_cells, cells);
            begin = end;
        }
    }

    contraction_items items_;
    contraction_limits limits_;
    contraction_level level_;
    std::vector<contraction_rest> rest_;
};

/// The nodes in an order of ours, whatever the caller's is.
level_maker reordered(const topology& tree, const contraction_limits& limits) {
    std::vector<std::int32_t> rank(tree.parent.size()), parent(tree.parent.size());
    for (std::size_t k = 0; k < tree.order.size(); ++k) {
        const std::int32_t node = tree.order[k], p = tree.parent[at(node)];
        rank[at(node)] = static_cast<std::int32_t>(k);
        parent[k] = p < 0 ? -1 : rank[at(p)];
    }
    const std::vector<std::int32_t> place = heaviest_last(parent);
    contraction_items items;
    items.parent.resize(parent.size());
    std::vector<std::int32_t> node(parent.size());
    for (std::size_t k = 0; k < parent.size(); ++k) {
        items.parent[at(place[k])] = parent[k] < 0 ? -1 : place[at(parent[k])];
        node[at(place[k])] = tree.order[k];
    }
    return {std::move(items), std::move(node), limits};
}

level_maker first_level(const topology& tree, const contraction_limits& limits) {
    if (tree.depth_first) {
        level_maker as_it_stands({tree.parent, {}, {}}, {}, limits);
        if (!as_it_stands.leaves_too_much()) return as_it_stands;
    }
    return reordered(tree, limits);
}

}  // namespace

contraction_schedule::contraction_schedule(const topology& tree, const contraction_limits& limits) {
    if (tree.size() == 0) return;
    level_maker level = first_level(tree, limits);
    while (!level.is_last()) {
        level_maker next = level.next();
        levels.push_back(level.take());
        level = std::move(next);
    }
    levels.push_back(level.take());
}

}  // namespace wale::tree
