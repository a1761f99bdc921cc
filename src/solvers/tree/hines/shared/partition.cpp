// partition - chooses separators, packs chains into lanes, orders the separators by level.
#include "solvers/tree/hines/shared/partition.hpp"

#include <queue>

#include "solvers/tree/hines/shared/banks.hpp"

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
        free_rows_.assign(at(team.lanes), team.rows);
        pack();
        if (team.tries > 0) spread_over_banks(lanes, f.node, team.tries);
    }

private:
    const form& f_;
    team_size team_;
    form_children children_;
    std::vector<std::int32_t> free_rows_;

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
            if (free_rows_[lane] >= length) {
                lanes[lane].push_back(chain);
                free_rows_[lane] -= length;
                continue;
            }
            const auto part = chain.begin() + free_rows_[lane];
            if (free_rows_[lane] > 0) lanes[lane].emplace_back(chain.begin(), part);
            free_rows_[lane] = 0;
            is_separator[at(*part)] = 1;
            if (part + 1 != chain.end()) open.emplace(part + 1, chain.end());
        }
    }
    /// The fullest lane that has rows for all of it; else the emptiest.
    [[nodiscard]] std::size_t best_lane(std::int32_t length) const {
        std::size_t best = 0;
        for (std::size_t j = 1; j < free_rows_.size(); ++j) {
            const bool fits = free_rows_[j] >= length, fitted = free_rows_[best] >= length;
            if (fits ? !fitted || free_rows_[j] < free_rows_[best]
                     : !fitted && free_rows_[j] > free_rows_[best])
                best = j;
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

std::uint32_t unsigned_of(std::int64_t v) {
    return static_cast<std::uint32_t>(v);
}

}  // namespace

/// The tree of separators and the order in which it is contracted. Numbers of nodes here are those of
/// separators in the order of their positions.
struct partition::contracted {
    std::vector<std::int32_t> position, parent;         // the parent of the tree as it is at the beginning
    std::vector<std::int32_t> order, starts;            // of elimination; first of each round, and the end
    std::vector<std::int32_t> last_parent, last_child;  // of the tree as it is when a node goes; -1: none
    std::vector<std::int32_t> number;                   // [nodes of the form] -1: no separator

    contracted(const form& f, const std::vector<char>& is_separator) : number(f.node.size(), -1) {
        for (std::int32_t k = 0; k < f.size(); ++k) {
            if (!is_separator[at(k)]) continue;
            number[at(k)] = static_cast<std::int32_t>(position.size());
            position.push_back(k);
        }
        parent.assign(position.size(), -1);
        for (std::size_t s = 1; s < position.size(); ++s) {
            std::int32_t k = f.parent[at(position[s])];
            while (!is_separator[at(k)]) k = f.parent[at(k)];
            parent[s] = number[at(k)];
        }
        contract();
    }

private:
    /// Each round goes from the leaves to the root and takes each node that has one child at most and no
    /// neighbour that goes in this round.
    void contract() {
        last_parent = parent;
        last_child.assign(position.size(), -1);
        std::vector<std::int32_t> children(position.size(), 0), left;
        for (const std::int32_t p : parent)
            if (p >= 0) ++children[at(p)];
        for (auto s = std::ssize(position) - 1; s >= 0; --s) left.push_back(static_cast<std::int32_t>(s));
        while (!left.empty()) {
            starts.push_back(static_cast<std::int32_t>(order.size()));
            for (const std::int32_t s : left)
                if (last_parent[at(s)] >= 0) last_child[at(last_parent[at(s)])] = s;  // the only one, or any
            std::vector<char> touched(position.size(), 0);
            std::erase_if(left, [&](std::int32_t s) {  // children come before their parents
                if (children[at(s)] > 1 || touched[at(s)]) return false;
                if (last_parent[at(s)] >= 0) touched[at(last_parent[at(s)])] = 1;
                order.push_back(s);
                return true;
            });
            for (auto k = at(starts.back()); k < order.size(); ++k) take_out(order[k], children);
        }
        starts.push_back(static_cast<std::int32_t>(order.size()));
    }
    void take_out(std::int32_t s, std::vector<std::int32_t>& children) {
        const std::int32_t p = last_parent[at(s)];
        if (children[at(s)] == 0) {
            last_child[at(s)] = -1;
            if (p >= 0) --children[at(p)];
        } else {
            last_parent[at(last_child[at(s)])] = p;
        }
    }
};

bool partition::fits(const form& f, const team_size& team) {
    if (f.size() == 0 || f.extent != f.size() || f.extent >= chain_row::most_extent) return false;
    const form_children children(f);
    std::int32_t in_chains = 0;
    for (std::int32_t k = 1; k < f.size(); ++k) in_chains += children.count(k) < 2;
    return in_chains <= team.lanes * team.rows;
}

partition::partition(const form& f, const team_size& team, std::int32_t idle) {
    const cutter c(f, team);
    const contracted t(f, c.is_separator);
    put_separators(t, f);
    std::vector<std::uint32_t> place(f.node.size(), chain_row::none);  // of the separator at a position
    for (std::size_t k = 0; k < t.order.size(); ++k) place[at(t.position[at(t.order[k])])] = unsigned_of(k);
    const auto top_of = [&](const nodes& chain) -> separator& {
        return separators[place[at(f.parent[at(chain.back())])]];
    };
    for (const auto& lane : c.lanes)
        for (const nodes& chain : lane) ++top_of(chain).chains;
    for (separator& s : separators) {
        s.first_chain = unsigned_of(chains);
        chains += static_cast<std::int32_t>(s.chains);
        s.chains = 0;  // counted again as they are given out
    }
    up.assign(at(team.lanes) * at(team.rows), {unsigned_of(idle) << 3 | 1, chain_row::none << 16});
    down = up;
    for (std::size_t lane = 0; lane < c.lanes.size(); ++lane) {
        std::size_t row = lane;
        for (const nodes& chain : c.lanes[lane]) {
            const std::int32_t below = c.only_child(chain.front());
            separator& top = top_of(chain);
            const std::uint32_t number = top.first_chain + top.chains++;
            const std::uint32_t lower = below < 0 ? chain_row::none : place[at(below)];
            if (below >= 0) separators[lower].bare = 0;
            for (const std::int32_t k : chain) {
                std::uint32_t where = unsigned_of(f.node[at(k)]) << 3;
                if (k == chain.front()) where |= 1;
                if (k == chain.back()) where |= 2;
                if (below >= 0) where |= unsigned_of(f.node[at(below)]) << 17 | 1u << 31;
                up[row] = {where, number | lower << 16};
                down[row] = {where, place[at(f.parent[at(chain.back())])] | lower << 16};
                row += at(team.lanes);
            }
        }
    }
}

/// Shares are numbered by who takes them, so that each finds its own side by side.
void partition::put_separators(const contracted& t, const form& f) {
    rounds = t.starts;
    std::vector<std::int32_t> rank(t.order.size());
    for (std::size_t k = 0; k < rank.size(); ++k) rank[at(t.order[k])] = static_cast<std::int32_t>(k);
    const auto of = [&](std::int32_t s) { return s < 0 ? chain_row::none : unsigned_of(rank[at(s)]); };
    for (const std::int32_t s : t.order) {
        separator own{};
        own.node = unsigned_of(f.node[at(t.position[at(s)])]);
        own.bare = 1;  // until a chain is found
        own.parent = of(t.last_parent[at(s)]);
        own.child = of(t.last_child[at(s)]);
        separators.push_back(own);
    }
    for (const separator& s : separators)
        for (const std::uint32_t taker : {s.parent, s.child})
            if (taker != chain_row::none) ++separators[taker].shares;
    for (separator& s : separators) {
        s.first_share = unsigned_of(shares);
        shares += static_cast<std::int32_t>(s.shares);
        s.shares = 0;  // counted again as they are given out
    }
    const auto give = [&](std::uint32_t taker) {
        if (taker == chain_row::none) return unsigned_of(shares);
        return separators[taker].first_share + separators[taker].shares++;
    };
    for (separator& s : separators) {
        s.to_parent = give(s.parent);
        s.to_child = give(s.child);
    }
    ++shares;
}

}  // namespace wale::tree
