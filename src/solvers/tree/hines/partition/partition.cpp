// partition - chooses separators, packs chains into lanes, orders the separators by level.
#include "solvers/tree/hines/partition/partition.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

namespace wale::tree {
namespace {

std::size_t at(std::int64_t k) {
    return static_cast<std::size_t>(k);
}

using nodes = std::vector<std::int32_t>;  // positions in the form

/// Branch points and the root are separators from the beginning, cuts are added.
class cutter {
public:
    cutter(const form& f, const team_size& team)
        : f_(f), team_(team), children_(f), is_separator(f.node.size()) {
        for (std::int32_t k = 0; k < f.size(); ++k) is_separator[at(k)] = k == 0 || children_.count(k) > 1;
        lanes.resize(at(team.lanes));
        room_.assign(at(team.lanes), team.rows);
        pack();
    }

private:
    const form& f_;
    team_size team_;
    form_children children_;
    std::vector<std::int32_t> room_;

    /// Chains from their lowest nodes up, longest first.
    [[nodiscard]] std::vector<nodes> all_chains() const {
        std::vector<nodes> chains;
        for (std::int32_t k = 0; k < f_.size(); ++k) {
            if (is_separator[at(k)]) continue;
            const bool lowest = children_.count(k) == 0 || is_separator[at(only_child(k))];
            if (!lowest) continue;
            nodes chain;
            for (std::int32_t j = k; !is_separator[at(j)]; j = f_.parent[at(j)]) chain.push_back(j);
            chains.push_back(std::move(chain));
        }
        return chains;
    }
    /// The longest chain goes where it fits best; else the emptiest lane is filled up with its lower part,
    /// the next node becomes a separator, and the rest waits for its turn.
    void pack() {
        const auto shorter = [](const nodes& a, const nodes& b) { return a.size() < b.size(); };
        std::priority_queue<nodes, std::vector<nodes>, decltype(shorter)> open(shorter, all_chains());
        while (!open.empty()) {
            const nodes chain = open.top();
            open.pop();
            const auto length = static_cast<std::int32_t>(chain.size());
            const std::size_t lane = best_lane(length);
            if (room_[lane] >= length) {
                lanes[lane].push_back(chain);
                room_[lane] -= length;
                continue;
            }
            const auto part = chain.begin() + room_[lane];
            if (room_[lane] > 0) lanes[lane].emplace_back(chain.begin(), part);
            room_[lane] = 0;
            is_separator[at(*part)] = 1;
            if (part + 1 != chain.end()) open.emplace(part + 1, chain.end());
        }
    }
    /// The fullest lane with room for all of it; else the emptiest.
    [[nodiscard]] std::size_t best_lane(std::int32_t length) const {
        std::size_t best = 0;
        for (std::size_t j = 1; j < room_.size(); ++j) {
            const bool fits = room_[j] >= length, fitted = room_[best] >= length;
            if (fits ? !fitted || room_[j] < room_[best] : !fitted && room_[j] > room_[best]) best = j;
        }
        return best;
    }

public:
    [[nodiscard]] std::int32_t only_child(std::int32_t k) const {
        return children_.count(k) == 1 ? children_.child[at(children_.start[at(k)])] : -1;
    }
    std::vector<char> is_separator;
    std::vector<std::vector<nodes>> lanes;  // each lane's chains
};

/// The tree of separators, rooted at its centre.
struct separator_tree {
    std::vector<std::int32_t> node, above, parent, height, order;  // by separator, in order of positions

    separator_tree(const form& f, const cutter& c) : number(f.node.size(), -1) {
        for (std::int32_t k = 0; k < f.size(); ++k) {
            if (!c.is_separator[at(k)]) continue;
            number[at(k)] = static_cast<std::int32_t>(node.size());
            node.push_back(k);
        }
        neighbours_.resize(node.size());
        above.assign(node.size(), -1);
        for (std::size_t s = 1; s < node.size(); ++s) {
            std::int32_t k = f.parent[at(node[s])];
            while (!c.is_separator[at(k)]) k = f.parent[at(k)];
            above[s] = number[at(k)];
            neighbours_[s].push_back(above[s]);
            neighbours_[at(above[s])].push_back(static_cast<std::int32_t>(s));
        }
        root_at(middle());
    }
    std::vector<std::int32_t> number;  // of the separator at a position, or -1

private:
    std::vector<nodes> neighbours_;

    /// Breadth first from `root`; `order` ends in a node that is farthest from it.
    void walk(std::int32_t root) {
        parent.assign(node.size(), -1);
        order.assign(1, root);
        for (std::size_t k = 0; k < order.size(); ++k)
            for (const std::int32_t s : neighbours_[at(order[k])])
                if (s != parent[at(order[k])]) {
                    parent[at(s)] = order[k];
                    order.push_back(s);
                }
    }
    /// The middle of a longest path.
    std::int32_t middle() {
        walk(0);
        const std::int32_t end = order.back();
        walk(end);
        nodes path;
        for (std::int32_t s = order.back(); s >= 0; s = parent[at(s)]) path.push_back(s);
        return path[path.size() / 2];
    }
    void root_at(std::int32_t root) {
        walk(root);
        height.assign(node.size(), 0);
        for (std::size_t k = order.size(); k-- > 1;) {
            const std::size_t p = at(parent[at(order[k])]);
            height[p] = std::max(height[p], height[at(order[k])] + 1);
        }
    }
};

std::uint32_t unsigned_of(std::int64_t v) {
    return static_cast<std::uint32_t>(v);
}

}  // namespace

bool partition::fits(const form& f, const team_size& team) {
    if (f.size() == 0 || f.extent != f.size() || f.extent >= chain_row::most_extent) return false;
    const form_children children(f);
    std::int32_t in_chains = 0;
    for (std::int32_t k = 1; k < f.size(); ++k) in_chains += children.count(k) < 2;
    return in_chains <= team.lanes * team.rows;
}

partition::partition(const form& f, const team_size& team, std::int32_t idle) {
    const cutter c(f, team);
    const separator_tree t(f, c);
    std::vector<std::int32_t> index(
        t.node.size());  // in the order of a walk from the root: siblings together
    for (std::size_t k = 0; k < t.order.size(); ++k) index[at(t.order[k])] = static_cast<std::int32_t>(k);
    std::vector<separator> own(t.node.size());
    for (std::size_t k = 0; k < own.size(); ++k) {
        const std::size_t s = at(t.order[k]);
        const std::int32_t p = t.parent[s];
        const bool reversed = p >= 0 && t.above[s] != p;
        const std::uint32_t parent = p < 0 ? chain_row::none : unsigned_of(index[at(p)]);
        own[k].index = unsigned_of(std::int64_t(k));
        own[k].node = unsigned_of(f.node[at(t.node[s])]);
        own[k].bare = 1;  // until a chain is found
        own[k].parent = parent;
        own[k].edge = reversed ? parent : own[k].index;
        own[k].reversed = reversed;
        if (p < 0) continue;
        if (own[parent].children++ == 0) own[parent].first_child = own[k].index;
    }
    const auto index_of = [&](std::int32_t position) { return index[at(t.number[at(position)])]; };
    for (const auto& lane : c.lanes)
        for (const nodes& chain : lane) ++own[at(index_of(f.parent[at(chain.back())]))].chains;
    for (separator& s : own) {
        s.first_chain = unsigned_of(chains);
        chains += static_cast<std::int32_t>(s.chains);
        s.chains = 0;  // counted again as they are given out
    }
    const chain_row empty{unsigned_of(idle) << 3 | 1, chain_row::none << 16};
    up.assign(at(team.lanes) * at(team.rows), empty);
    down = up;
    for (std::size_t lane = 0; lane < c.lanes.size(); ++lane) {
        std::size_t place = lane;
        for (const nodes& chain : c.lanes[lane]) {
            const std::int32_t below = c.only_child(chain.front()), above = f.parent[at(chain.back())];
            separator& top = own[at(index_of(above))];
            const std::uint32_t number = top.first_chain + top.chains++;
            const std::uint32_t lower = below < 0 ? chain_row::none : unsigned_of(index_of(below));
            if (below >= 0) own[lower].bare = 0;
            for (const std::int32_t k : chain) {
                std::uint32_t where = unsigned_of(f.node[at(k)]) << 3;
                if (k == chain.front()) where |= 1;
                if (k == chain.back()) where |= 2;
                if (below >= 0) where |= unsigned_of(f.node[at(below)]) << 17 | 1u << 31;
                up[place] = {where, number | lower << 16};
                down[place] = {where, unsigned_of(index_of(above)) | lower << 16};
                place += at(team.lanes);
            }
        }
    }
    std::vector<std::size_t> by_height(own.size());
    std::iota(by_height.begin(), by_height.end(), 0);
    const auto height = [&](std::size_t k) { return t.height[at(t.order[k])]; };
    std::ranges::stable_sort(by_height, {}, height);
    for (std::size_t k = 0; k < own.size(); ++k) {
        separators.push_back(own[by_height[k]]);
        if (k == 0 || height(by_height[k]) != height(by_height[k - 1]))
            levels.push_back(static_cast<std::int32_t>(k));
    }
    levels.push_back(static_cast<std::int32_t>(own.size()));
}

}  // namespace wale::tree
