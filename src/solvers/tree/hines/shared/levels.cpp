// levels - chooses the root, schedules the nodes, numbers the shares.
#include "solvers/tree/hines/shared/levels.hpp"

#include <algorithm>
#include <queue>

namespace wale::tree {
namespace {

std::size_t at(std::int64_t k) {
    return static_cast<std::size_t>(k);
}

/// A form with a root of choice, by positions.
struct rooted {
    std::vector<std::int32_t> parent, order, depth;  // order: parents first

    rooted(const form& f, bool centred) : original(f.parent), children_(f) {
        walk(0);
        if (!centred) return;
        walk(order.back());  // breadth first: the last node is farthest
        std::vector<std::int32_t> longest;
        for (std::int32_t k = order.back(); k >= 0; k = parent[at(k)]) longest.push_back(k);
        walk(longest[longest.size() / 2]);
    }
    [[nodiscard]] std::int32_t edge_of(std::int32_t k) const {
        const std::int32_t p = parent[at(k)];
        return p < 0 || original[at(k)] == p ? k : ~p;
    }

private:
    const std::vector<std::int32_t>& original;
    form_children children_;
    void walk(std::int32_t root) {
        parent.assign(original.size(), -1);
        depth.assign(original.size(), 0);
        order.assign(1, root);
        order.reserve(original.size());
        for (std::size_t k = 0; k < order.size(); ++k) {
            const std::int32_t node = order[k];
            const auto reach = [&](std::int32_t next) {
                if (next < 0 || next == parent[at(node)]) return;
                parent[at(next)] = node;
                depth[at(next)] = depth[at(node)] + 1;
                order.push_back(next);
            };
            reach(original[at(node)]);
            for (auto c = children_.start[at(node)]; c < children_.start[at(node) + 1]; ++c)
                reach(children_.child[at(c)]);
        }
    }
};

class scheduler {
public:
    scheduler(const form& f, const rooted& tree, int lanes, levels& out)
        : f_(f), t_(tree), lanes_(lanes), out_(out), step_(f.node.size(), -1), lane_(f.node.size(), 0) {
        list_children();
        take_deepest();
        number_shares();
        put_barriers();
    }

private:
    const form& f_;
    const rooted& t_;
    int lanes_;
    levels& out_;
    std::vector<std::int32_t> step_, lane_, start_, child_;  // children by position, in the chosen rooting
    int steps_ = 0;

    level_row& row_of(std::int32_t k) { return out_.rows[at(step_[at(k)]) * at(lanes_) + at(lane_[at(k)])]; }

    void list_children() {
        start_.assign(f_.node.size() + 1, 0);
        for (const std::int32_t p : t_.parent)
            if (p >= 0) ++start_[at(p) + 1];
        for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
        child_.resize(f_.node.size());
        std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
        for (std::int32_t k = 0; k < f_.size(); ++k)
            if (t_.parent[at(k)] >= 0) child_[at(next[at(t_.parent[at(k)])]++)] = k;
    }
    /// Of equally deep ones those that became ready last, so that a lane goes on where it is.
    void take_deepest() {
        struct ready_node {
            std::int32_t depth, since, position;
            bool operator<(const ready_node& o) const {
                if (depth != o.depth) return depth < o.depth;
                return since != o.since ? since < o.since : position > o.position;
            }
        };
        std::vector<std::int32_t> waiting(f_.node.size());
        std::priority_queue<ready_node> ready;
        for (std::int32_t k = 0; k < f_.size(); ++k) {
            waiting[at(k)] = start_[at(k) + 1] - start_[at(k)];
            if (waiting[at(k)] == 0) ready.push({t_.depth[at(k)], 0, k});
        }
        std::vector<std::int32_t> chosen;
        while (!ready.empty()) {
            chosen.clear();
            while (!ready.empty() && std::ssize(chosen) < lanes_) {
                chosen.push_back(ready.top().position);
                ready.pop();
            }
            place(chosen);
            ++steps_;
            for (const std::int32_t k : chosen) {
                const std::int32_t p = t_.parent[at(k)];
                if (p >= 0 && --waiting[at(p)] == 0) ready.push({t_.depth[at(p)], steps_, p});
            }
        }
    }
    /// A node goes to the lane that has just finished its first such child, or to any that is left.
    void place(const std::vector<std::int32_t>& chosen) {
        const std::size_t first = out_.rows.size();
        out_.rows.resize(first + at(lanes_), {level_row::idle, 0, -1, level_row::carried});
        std::vector<std::int32_t> unplaced;
        for (const std::int32_t k : chosen) {
            step_[at(k)] = steps_;
            std::int32_t before = -1;
            for (auto c = start_[at(k)]; c < start_[at(k) + 1] && before < 0; ++c)
                if (step_[at(child_[at(c)])] == steps_ - 1) before = child_[at(c)];
            if (before < 0) {
                unplaced.push_back(k);
                continue;
            }
            lane_[at(k)] = lane_[at(before)];
            set(k, level_row::taken);
        }
        int lane = 0;
        for (const std::int32_t k : unplaced) {
            while (!out_.rows[first + at(lane)].is(level_row::idle)) ++lane;
            lane_[at(k)] = lane;
            set(k, 0);
        }
    }
    void set(std::int32_t k, std::uint32_t flags) {
        const std::int32_t edge = t_.edge_of(k);
        row_of(k) = {static_cast<std::uint32_t>(f_.node[at(k)]) | flags,
                     edge < 0 ? ~f_.node[at(~edge)] : f_.node[at(edge)], -1,
                     t_.parent[at(k)] < 0 ? level_row::root : level_row::carried};
    }
    /// The shares of a node's children are side by side, but for the one that the lane of the node has.
    void number_shares() {
        for (std::int32_t k = 0; k < f_.size(); ++k) {
            const auto first = static_cast<std::int32_t>(out_.share_ends.size());
            bool taken = row_of(k).is(level_row::taken);
            for (auto c = start_[at(k)]; c < start_[at(k) + 1]; ++c) {
                const std::int32_t child = child_[at(c)];
                if (taken && step_[at(child)] == step_[at(k)] - 1 && lane_[at(child)] == lane_[at(k)]) {
                    taken = false;
                    continue;
                }
                row_of(child).out = static_cast<std::int32_t>(out_.share_parents.size());
                row_of(k).in = first;
                out_.share_parents.push_back(f_.node[at(k)]);
                out_.share_ends.push_back(0);
            }
            const auto end = static_cast<std::int32_t>(out_.share_ends.size());
            std::fill(out_.share_ends.begin() + first, out_.share_ends.end(), end);
        }
    }
    void flag(int step, std::uint32_t bit) {
        for (int j = 0; j < lanes_; ++j) out_.rows[at(step) * at(lanes_) + at(j)].bits |= bit;
    }
    /// A barrier only where a share passes from lane to lane that no barrier since has covered.
    void put_barriers() {
        std::vector<std::int32_t> newest(at(steps_), -1),
            oldest(at(steps_), steps_);  // step that a step asks
        for (std::int32_t k = 0; k < f_.size(); ++k) {
            if (row_of(k).out < 0) continue;
            const std::int32_t below = step_[at(k)], above = step_[at(t_.parent[at(k)])];
            newest[at(above)] = std::max(newest[at(above)], below);
            oldest[at(below)] = std::min(oldest[at(below)], above);
        }
        for (int t = 0, last = 0; t < steps_; ++t)
            if (newest[at(t)] >= last) flag(last = t, level_row::barrier_upwards);
        for (int t = steps_ - 1, last = steps_ - 1; t >= 0; --t)
            if (oldest[at(t)] <= last) flag(last = t, level_row::barrier_downwards);
        out_.steps = (steps_ + levels::ahead - 1) / levels::ahead * levels::ahead;
        out_.rows.resize(at(out_.steps + 2 * levels::ahead) * at(lanes_),
                         {level_row::idle, 0, -1, level_row::carried});
    }
};

}  // namespace

levels::levels(const form& f, int lanes_of_block, bool centred) : lanes(lanes_of_block) {
    if (f.size() == 0) return;
    const rooted tree(f, centred);
    scheduler(f, tree, lanes, *this);
}

}  // namespace wale::tree
