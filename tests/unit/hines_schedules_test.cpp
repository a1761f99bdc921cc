// hines_schedules_test - the schedules that the CUDA rows follow, followed here by plain loops: forms of a
// forest, the sweep of one worker, the partition of a team; and the levels of contraction.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "solvers/tree/hines/shared/contraction/schedule.hpp"
#include "solvers/tree/hines/shared/forms.hpp"
#include "solvers/tree/hines/shared/levels.hpp"
#include "solvers/tree/hines/shared/partition.hpp"
#include "solvers/tree/hines/shared/sweep.hpp"
#include "solvers/tree/topology.hpp"
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
        sums_ = edges_ = low_ = std::vector<pair>(separators_);
        shares_.resize(static_cast<std::size_t>(p.shares), {NAN, NAN});
        chains_.resize(static_cast<std::size_t>(p.chains), {NAN, NAN});
        factors_.resize(p.up.size());
        for (std::size_t k = 0; k < separators_; ++k) {
            const separator& s = p.separators[k];
            sums_[k] = {a.diagonal[s.node], a.rhs[s.node]};
            edges_[k] = s.bare ? pair{a.upper[s.node], a.lower[s.node]} : pair{NAN, NAN};
            low_[k] = s.bare ? pair{} : pair{NAN, NAN};
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
    std::vector<pair> sums_, edges_, low_, shares_, chains_;
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
            low_.at(r.below()) = low;
        }
    }
    void solve_separators() {
        for (std::size_t k = 0; k < separators_; ++k) {
            const separator& s = p_.separators[k];
            sums_[k] = {sums_[k].d + low_[k].d, sums_[k].b + low_[k].b};
            for (std::uint32_t c = 0; c < s.chains; ++c) {
                sums_[k].d += chains_.at(s.first_chain + c).d;
                sums_[k].b += chains_.at(s.first_chain + c).b;
            }
        }
        std::vector<factor> factors(separators_);
        for (std::size_t k = 0; k < separators_; ++k) {
            const separator& s = p_.separators[k];
            pair own = sums_[k];
            for (std::uint32_t c = 0; c < s.shares; ++c) {
                own.d -= shares_.at(s.first_share + c).d;
                own.b -= shares_.at(s.first_share + c).b;
            }
            const pair edge = s.parent == chain_row::none ? pair{} : edges_[k];
            const pair below = s.child == chain_row::none ? pair{} : edges_.at(s.child);
            const factor f{edge.b / own.d, below.d / own.d, own.b / own.d};
            factors[k] = f;
            shares_.at(s.to_parent) = {edge.d * f.c, edge.d * f.g};
            shares_.at(s.to_child) = {below.b * f.a, below.b * f.g};
            if (s.child != chain_row::none) edges_.at(s.child) = {-edge.d * f.a, -below.b * f.c};
        }
        of_separators_.assign(separators_, NAN);
        for (std::size_t k = separators_; k-- > 0;) {
            const separator& s = p_.separators[k];
            double x = factors[k].g;
            if (s.parent != chain_row::none) x -= factors[k].c * of_separators_.at(s.parent);
            if (s.child != chain_row::none) x -= factors[k].a * of_separators_.at(s.child);
            x_[s.node] = of_separators_[k] = x;
        }
        expect_rounds();
    }
    /// No separator reads what another separator of its round writes.
    void expect_rounds() {
        for (std::size_t round = 0; round + 1 < p_.rounds.size(); ++round)
            for (auto k = p_.rounds[round]; k < p_.rounds[round + 1]; ++k)
                for (const std::uint32_t other : {p_.separators[static_cast<std::size_t>(k)].parent,
                                                  p_.separators[static_cast<std::size_t>(k)].child})
                    EXPECT_GE(other, static_cast<std::uint32_t>(p_.rounds[round + 1]));
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

/// A block's steps; what another lane has written counts from the block's next barrier on.
class block_of_lanes {
public:
    block_of_lanes(const levels& s, const trees::system& a)
        : s_(s), shares_(s.share_ends.size()), c_(a.rhs.size()), g_(a.rhs.size()), x_(a.rhs.size(), NAN) {
        std::vector<pair> carry(static_cast<std::size_t>(s.lanes));
        for (int t = 0; t < s.steps; ++t) climb(t, a, carry);
        std::vector<double> above(static_cast<std::size_t>(s.lanes));
        written_.assign(a.rhs.size(), s.steps);
        meeting_ = s.steps;
        for (int t = s.steps - 1; t >= 0; --t) descend(t, above);
    }
    [[nodiscard]] const std::vector<double>& solution() const { return x_; }

private:
    const levels& s_;
    struct share {
        pair value;
        int step = -1;
    };
    std::vector<share> shares_;
    std::vector<double> c_, g_, x_;
    std::vector<int> written_;
    int meeting_ = 0;

    [[nodiscard]] const level_row& row(int t, int lane) const {
        return s_.rows[static_cast<std::size_t>(t * s_.lanes + lane)];
    }
    void climb(int t, const trees::system& a, std::vector<pair>& carry) {
        if (row(t, 0).is(level_row::barrier_upwards)) meeting_ = t;
        for (int lane = 0; lane < s_.lanes; ++lane) {
            const level_row& r = row(t, lane);
            EXPECT_EQ(r.is(level_row::barrier_upwards), row(t, 0).is(level_row::barrier_upwards));
            if (r.is(level_row::idle)) continue;
            const auto i = static_cast<std::size_t>(r.node());
            pair& own = carry[static_cast<std::size_t>(lane)];
            double d = a.diagonal[i] - (r.is(level_row::taken) ? own.d : 0);
            double b = a.rhs[i] - (r.is(level_row::taken) ? own.b : 0);
            for (auto k = r.in; k >= 0 && k < s_.share_ends.at(static_cast<std::size_t>(r.in)); ++k) {
                const share& from = shares_.at(static_cast<std::size_t>(k));
                EXPECT_TRUE(from.step >= 0 && from.step < meeting_) << "not met since";
                d -= from.value.d;
                b -= from.value.b;
            }
            const auto e = static_cast<std::size_t>(r.edge < 0 ? ~r.edge : r.edge);
            const double up = r.edge < 0 ? a.lower[e] : a.upper[e],
                         low = r.edge < 0 ? a.upper[e] : a.lower[e];
            c_[i] = low / d;
            g_[i] = b / d;
            own = {up * c_[i], up * g_[i]};
            if (r.out >= 0) shares_.at(static_cast<std::size_t>(r.out)) = {own, t};
        }
    }
    void descend(int t, std::vector<double>& above) {
        if (row(t, 0).is(level_row::barrier_downwards)) meeting_ = t;
        for (int lane = 0; lane < s_.lanes; ++lane) {
            const level_row& r = row(t, lane);
            if (r.is(level_row::idle)) continue;
            const auto i = static_cast<std::size_t>(r.node());
            double& x = above[static_cast<std::size_t>(lane)];
            if (r.out >= 0) {
                const auto p = static_cast<std::size_t>(s_.share_parents.at(static_cast<std::size_t>(r.out)));
                EXPECT_GT(written_[p], meeting_) << "not met since";
                x = x_[p];
            }
            x = r.out == level_row::root ? g_[i] : g_[i] - c_[i] * x;
            x_[i] = x;
            written_[i] = t;
        }
    }
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
    const team_size sizes[] = {{32, 1}, {32, 2}, {32, 4}, {32, 22}, {64, 11}, {64, 11, 500}};
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

TEST(HinesSchedules, LevelsSolveEveryKindOfTreeAndMeetOften) {
    for (const std::int32_t n : {1, 2, 3, 4, 7, 31, 64, 100, 699})
        for (const auto& [name, parent] : trees::every_kind(n)) {
            const topology t(parent, false);
            const form f = forms(t).all.front();
            const trees::system a(parent, 8);
            const std::vector<double> x = trees::solution_of(parent, t.order, a);
            for (const int lanes : {1, 4, 64})
                for (const bool centred : {false, true}) {
                    const levels s(f, lanes, centred);
                    EXPECT_LE(difference(block_of_lanes(s, a).solution(), x), bound)
                        << name << n << " " << lanes << (centred ? " centred" : "");
                }
        }
}

TEST(HinesSchedules, LevelsTakeAsFewStepsAsThereCanBe) {
    const auto steps = [](const trees::parents& p, int lanes, bool centred) {
        return levels(forms(topology(p, false)).all.front(), lanes, centred).steps;
    };
    EXPECT_EQ(steps(trees::path(100), 8, false), 100);
    EXPECT_EQ(steps(trees::path(100), 8, true), 52);  // 51, and steps come by four
    EXPECT_EQ(steps(trees::binary(1023), 1024, false), 12);
    EXPECT_EQ(steps(trees::star(101), 10, false), 12);
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

/// Every node is eliminated exactly once over all levels.
void expect_complete(const topology& t, const contraction_schedule& schedule) {
    std::vector<int> gone(t.parent.size(), 0);
    for (const contraction_level& level : schedule.levels)
        for (const contraction_window& w : level.windows) {
            const contraction_cell* cells = level.cells.data() + w.cell;
            const auto* list = reinterpret_cast<const std::uint16_t*>(cells + w.list);
            for (int k = 0; k < w.steps; ++k) {
                const auto step = std::bit_cast<contraction_step>(cells[k]);
                for (int r = step.run; r < step.runs_end; ++r) {
                    const auto run = std::bit_cast<contraction_run>(cells[r]);
                    const int count = run.count & ~contraction_run::in_list;
                    for (int i = 0; i < count; ++i) {
                        const int slot =
                            run.count & contraction_run::in_list ? list[run.first + i] : run.first + i;
                        ASSERT_LT(slot, w.items);
                        const std::int32_t item = w.item + slot;
                        ++gone[static_cast<std::size_t>(
                            level.node.empty() ? item : level.node[static_cast<std::size_t>(item)])];
                    }
                }
            }
        }
    EXPECT_EQ(std::count(gone.begin(), gone.end(), 1), t.size());
}

TEST(HinesSchedules, ContractionTakesEveryNodeOnceInFewLevels) {
    constexpr std::int32_t n = 200000;
    for (const auto& p : {trees::path(n), trees::star(n), trees::binary(n), trees::comb_backwards(n),
                          trees::neuron(n, 1.0 / 30, 1), trees::any(n, 2),
                          trees::shuffled(trees::neuron(n, 1.0 / 5, 2), 1)}) {
        const topology t(p, false);
        for (const contraction_limits limits :
             {contraction_limits{128, 1, 1}, contraction_limits{1024, 8, 4}}) {
            const contraction_schedule schedule(t, limits);
            expect_complete(t, schedule);
            EXPECT_LE(schedule.levels.size(), limits.window == 128 ? 5u : 3u);
            for (const contraction_level& level : schedule.levels)
                for (const contraction_window& w : level.windows) EXPECT_LE(w.steps, 24);
        }
    }
}

}  // namespace
}  // namespace wale::tree
