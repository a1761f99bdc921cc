// hines_schedules_test - the schedules that the CUDA rows follow, followed here by plain loops: forms of a
// forest, the sweep of one worker, the partition of a team.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solvers/tree/hines/forms.hpp"
#include "solvers/tree/hines/partition/partition.hpp"
#include "solvers/tree/hines/sweep/sweep.hpp"
#include "solvers/tree/hines/topology.hpp"
#include "unit/random_trees.hpp"

namespace wale::tree {
namespace {

struct pair {
    double d = 0, b = 0;
};

std::vector<double> follow(const sweep& s, const trees::system& a) {
    std::vector<double> c(a.rhs.size()), x(a.rhs.size());
    std::vector<pair> slot(static_cast<std::size_t>(s.slots));
    pair carry;
    for (const sweep_row& r : s.rows) {
        const auto i = static_cast<std::size_t>(r.node);
        if (r.link.is(sweep_link::leaf)) carry = {};
        if (r.link.is(sweep_link::join)) {
            carry.d += slot.at(static_cast<std::size_t>(r.link.own())).d;
            carry.b += slot.at(static_cast<std::size_t>(r.link.own())).b;
        }
        const double inverse = 1 / (a.diagonal[i] - carry.d);
        c[i] = a.lower[i] * inverse;
        x[i] = (a.rhs[i] - carry.b) * inverse;
        carry = {a.upper[i] * c[i], a.upper[i] * x[i]};
        if (!r.link.is(sweep_link::aside)) continue;
        pair& p = slot.at(static_cast<std::size_t>(r.link.parents()));
        if (r.link.is(sweep_link::further)) {
            carry.d += p.d;
            carry.b += p.b;
        }
        p = carry;
    }
    double above = 0;
    for (std::size_t k = s.rows.size(); k-- > 0;) {
        const sweep_link link = s.rows[k].link;
        const auto i = static_cast<std::size_t>(s.rows[k].node);
        if (link.is(sweep_link::aside)) above = slot.at(static_cast<std::size_t>(link.parents())).d;
        above = link.is(sweep_link::root) ? x[i] : x[i] - c[i] * above;
        x[i] = above;
        if (link.is(sweep_link::join)) slot.at(static_cast<std::size_t>(link.own())).d = above;
    }
    return x;
}

/// A team's work in the order of its phases.
class team {
public:
    team(const partition& p, const team_size& size, const trees::system& a)
        : p_(p), size_(size), a_(a), separators_(p.separators.size()), x_(a.rhs.size(), NAN) {
        sums_ = edges_ = shares_ = std::vector<pair>(separators_);
        chains_.resize(static_cast<std::size_t>(p.chains), {NAN, NAN});
        factors_.resize(p.up.size());
        for (const separator& s : p.separators) {
            sums_.at(s.index) = {a.diagonal[s.node], a.rhs[s.node]};
            edges_.at(s.index) = s.bare ? pair{a.upper[s.node], a.lower[s.node]} : pair{NAN, NAN};
            shares_.at(s.index) = s.bare ? pair{} : pair{NAN, NAN};
        }
        for (int lane = 0; lane < size.lanes; ++lane) climb(static_cast<std::size_t>(lane));
        solve_separators();
        for (int lane = 0; lane < size.lanes; ++lane) descend(static_cast<std::size_t>(lane));
    }
    [[nodiscard]] const std::vector<double>& solution() const { return x_; }

private:
    const partition& p_;
    team_size size_;
    const trees::system& a_;
    std::size_t separators_;
    std::vector<double> x_;
    std::vector<pair> sums_, edges_, shares_, chains_;
    struct factor {
        double c, a, g;
    };
    std::vector<factor> factors_;

    [[nodiscard]] bool idle(const chain_row& r) const { return r.node() >= a_.rhs.size(); }
    void climb(std::size_t lane) {
        pair up, low;
        double from = 0, to = 0;
        for (std::size_t at = lane; at < p_.up.size(); at += static_cast<std::size_t>(size_.lanes)) {
            const chain_row r = p_.up[at];
            if (idle(r)) continue;
            const std::size_t i = r.node();
            if (r.first()) {
                up = low = {};
                from = r.has_separator() ? a_.upper[r.node_below()] : 0;
                to = r.has_separator() ? a_.lower[r.node_below()] : 0;
            }
            const double inverse = 1 / (a_.diagonal[i] + up.d);
            const factor f{a_.lower[i] * inverse, from * inverse, (a_.rhs[i] + up.b) * inverse};
            factors_[at] = f;
            up = {-a_.upper[i] * f.c, -a_.upper[i] * f.g};
            low = {low.d - to * f.a, low.b - to * f.g};
            from = -a_.upper[i] * f.a;
            to = -to * f.c;
            if (!r.last()) continue;
            chains_.at(r.number()) = up;
            if (r.below() == chain_row::none) continue;
            edges_.at(r.below()) = {from, to};
            shares_.at(r.below()) = low;
        }
    }
    void solve_separators() {
        for (const separator& s : p_.separators) {
            pair& own = sums_[s.index];
            own = {own.d + shares_[s.index].d, own.b + shares_[s.index].b};
            for (std::uint32_t c = 0; c < s.chains; ++c) {
                own.d += chains_.at(s.first_chain + c).d;
                own.b += chains_.at(s.first_chain + c).b;
            }
        }
        for (std::size_t level = 0; level + 1 < p_.levels.size(); ++level)
            for (auto k = p_.levels[level]; k < p_.levels[level + 1]; ++k) {
                const separator& s = p_.separators[static_cast<std::size_t>(k)];
                pair& own = sums_[s.index];
                for (std::uint32_t c = 0; c < s.children; ++c) {
                    own.d += shares_.at(s.first_child + c).d;
                    own.b += shares_.at(s.first_child + c).b;
                }
                const pair edge = edges_.at(s.edge);
                const double upper = s.reversed ? edge.b : edge.d, lower = s.reversed ? edge.d : edge.b;
                own = {lower / own.d, own.b / own.d};
                shares_[s.index] = {-upper * own.d, -upper * own.b};
            }
        std::vector<double> x(separators_);
        for (std::size_t k = separators_; k-- > 0;) {
            const separator& s = p_.separators[k];
            const pair f = sums_[s.index];
            x[s.index] = s.parent == chain_row::none ? f.b : f.b - f.d * x.at(s.parent);
            x_[s.node] = x[s.index];
        }
        of_separators_ = x;
    }
    void descend(std::size_t lane) {
        double above = 0, below = 0;
        const auto lanes = static_cast<std::size_t>(size_.lanes);
        for (std::size_t at = lane + p_.down.size(); at >= lane + lanes;) {
            at -= lanes;
            const chain_row r = p_.down[at];
            if (idle(r)) continue;
            if (r.last()) {
                above = of_separators_.at(r.number());
                below = r.below() == chain_row::none ? 0 : of_separators_.at(r.below());
            }
            above = factors_[at].g - factors_[at].c * above - factors_[at].a * below;
            x_[r.node()] = above;
        }
    }
    std::vector<double> of_separators_;
};

double difference(const std::vector<double>& x, const std::vector<double>& y) {
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(x[i])) return std::numeric_limits<double>::infinity();
        most = std::max(most, std::abs(x[i] - y[i]));
        largest = std::max(largest, std::abs(y[i]));
    }
    return most / largest;
}

constexpr double bound = 64 * std::numeric_limits<double>::epsilon();

TEST(HinesSchedules, ASweepSolvesEveryKindOfTree) {
    for (const std::int32_t n : {1, 2, 3, 4, 7, 31, 100, 699})
        for (const auto& [name, parent] : trees::every_kind(n)) {
            const topology t(parent, false);
            const sweep s(forms(t).all.front());
            const trees::system a(parent, 5);
            EXPECT_LE(s.slots, static_cast<int>(std::log2(n)) + 1) << name << n;
            EXPECT_LE(difference(follow(s, a), trees::solution_of(parent, t.order, a)), bound) << name << n;
        }
}

TEST(HinesSchedules, APartitionSolvesEveryKindOfTree) {
    const team_size sizes[] = {{32, 1}, {32, 2}, {32, 4}, {32, 22}, {64, 11}};
    int solved = 0;
    for (const std::int32_t n : {1, 2, 3, 4, 7, 31, 64, 100, 128, 699})
        for (const auto& [name, parent] : trees::every_kind(n)) {
            const topology t(parent, false);
            const form f = forms(t).all.front();
            const trees::system a(parent, 7);
            const std::vector<double> x = trees::solution_of(parent, t.order, a);
            for (const team_size& size : sizes) {
                if (!partition::fits(f, size)) continue;
                const partition p(f, size, n + 2);
                ++solved;
                EXPECT_LE(difference(team(p, size, a).solution(), x), bound)
                    << name << n << " " << size.lanes << "x" << size.rows;
            }
        }
    EXPECT_GT(solved, 200);
}

TEST(HinesSchedules, EqualTreesOfAForestAreOneForm) {
    trees::parents forest;
    for (int k = 0; k < 5; ++k) trees::append(forest, trees::neuron(50, 0.1, 3));
    for (int k = 0; k < 4; ++k) trees::append(forest, trees::neuron(60, 0.1, 4));
    const topology t(forest, true);
    const forms f(t);
    ASSERT_EQ(f.all.size(), 2U);
    EXPECT_EQ(f.all[0].size(), 60);
    EXPECT_EQ(f.starts, (std::vector<std::int64_t>{0, 4, 9}));
    EXPECT_EQ(f.trees[0].base, 250);
    EXPECT_EQ(f.trees[8].base, 200);
}

TEST(HinesSchedules, ATreeAmongTheNodesOfAnotherIsNotTakenByATeam) {
    const topology t(trees::parents{-1, -1, 0, 1, 2, 3}, true);
    const forms f(t);
    ASSERT_EQ(f.all.size(), 1U);
    EXPECT_EQ(f.all[0].extent, 5);
    EXPECT_FALSE(partition::fits(f.all[0], {32, 4}));
}

}  // namespace
}  // namespace wale::tree
