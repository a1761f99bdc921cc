// tree_hines_test - every row of hines_solve, and what automatic takes, through the public interface:
// residuals are asked of plain loops, small trees of exact fractions too.

#include "agreement/hines_questions.hpp"
#include "solvers/tree/hines/cpu/tuning.hpp"
#include "solvers/tree/hines/cuda/contraction/tuning.hpp"
#include "solvers/tree/hines/cuda/levels/tuning.hpp"
#include "solvers/tree/hines/cuda/register_partition/tuning.hpp"
#include "solvers/tree/hines/shared/partition.hpp"
#include "solvers/tree/hines/shared/thread_tuning.hpp"
#include "solvers/tree/jobs.hpp"
#include "solvers/tree/topology.hpp"
#include "tuning_rows.hpp"
#include "unit/random_trees.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

using trees::any, trees::append, trees::binary, trees::comb, trees::path, trees::shuffled, trees::star;

class TreeHines : public row_test {
protected:
    void expect_right(const hines_question& q, bool forest = false) {
        if (hines_expectations(GetParam()).expect_right(q, forest)) ++taken_;
    }
    /// One system in float64, flat: the result and the solution; nothing where the row refuses, as it may.
    static std::optional<std::pair<hines_result, std::vector<double>>> solved(const parents& tree,
                                                                              const trees::system& a) {
        const vector_shape s = shape_of(0, scalar::f64, std::ssize(tree), 1);
        const stored_vectors d(where(), s, {a.diagonal}), u(where(), s, {a.upper}), l(where(), s, {a.lower}),
            x(where(), s, {a.rhs});
        try {
            const hines_plan plan{std::span<const std::int32_t>(tree)};
            const hines_result r = hines_solve(where(), plan, d.const_view(), u.const_view(), l.const_view(),
                                               x.view(), {.variant = variant_of(GetParam())});
            return std::pair(r, x.now().front());
        } catch (const unsupported_variant& e) {
            EXPECT_TRUE(may_refuse(GetParam().name, {.what = "", .tree = tree, .shape = s})) << e.what();
            return std::nullopt;
        }
    }
    int taken_ = 0;
};

TEST_P(TreeHines, EveryKindInEveryLayout) {
    std::vector<index_t> sizes{100, 340, 699};
    for (index_t n = 1; n <= 40; ++n) sizes.push_back(n);
    unsigned turn = 0;
    for (const index_t n : sizes)
        for (const auto& [name, tree] : trees::every_kind(static_cast<std::int32_t>(n)))
            for (int layout = 0; layout < 7; ++layout) {
                ++turn;
                expect_right({.what = name,
                              .tree = tree,
                              .shape = shape_of(layout, types[turn % 2], n, 1 + turn % 35),
                              .seed = turn,
                              .symmetric = turn % 3 == 0,
                              .transposed = turn % 4 == 0,
                              .eliminated = false,
                              .in_place = turn % 2 == 0});
            }
    EXPECT_GT(taken_, 0) << "the row takes none of these questions";
}

TEST_P(TreeHines, ThousandTrees) {
    for (unsigned k = 0; k < 1000; ++k) {
        const index_t n = 1 + static_cast<index_t>(k * 7919 % 2500);
        const auto reach = static_cast<std::int32_t>(1 + k % 7 * (k % 11) * 10);
        const parents tree = k % 3 == 0   ? any(static_cast<std::int32_t>(n), k, reach)
                             : k % 3 == 1 ? neuron(n, k)
                                          : shuffled(neuron(n, k), k);
        expect_right({.what = "tree " + std::to_string(k),
                      .tree = tree,
                      .shape = shape_of(static_cast<int>(k) % 4, types[k % 2], n, 1 + k % 3),
                      .seed = k,
                      .symmetric = k % 5 == 0});
    }
}

TEST_P(TreeHines, EliminatedDiagonal) {
    for (const index_t n : {1, 2, 30, 200})
        for (const scalar type : types)
            for (int layout = 0; layout < 4; ++layout) {
                hines_question q{.what = "eliminated",
                                 .tree = shuffled(neuron(n, 5), 3),
                                 .shape = shape_of(layout, type, n, 34),
                                 .eliminated = true};
                expect_right(q);
                q.tree = comb(static_cast<std::int32_t>(n));
                expect_right(q);
            }
    if (taken_ == 0) GTEST_SKIP() << "this order of elimination has no such diagonal";
}

TEST_P(TreeHines, ManyCells) {
    unsigned turn = 0;
    for (const index_t count : {0, 2, 31, 32, 33, 100, 257})
        for (const index_t n : {77, 322, 699})
            for (int layout = 0; layout < 4; ++layout) {
                ++turn;
                expect_right({.what = "cells",
                              .tree = neuron(n, turn),
                              .shape = shape_of(layout, types[turn % 2], n, count),
                              .seed = turn,
                              .symmetric = turn % 2 == 0});
            }
}

TEST_P(TreeHines, Forests) {
    parents forest;
    for (unsigned k = 0; k < 60; ++k) {
        const index_t n = 1 + static_cast<index_t>(k * 37 % 150);
        append(forest, k % 4 == 0   ? path(static_cast<std::int32_t>(n))
                       : k % 4 == 1 ? star(static_cast<std::int32_t>(n))
                       : k % 4 == 2 ? neuron(n, k)
                                    : neuron(100, 3));
    }
    for (const scalar type : types)
        for (const index_t count : {1, 3}) {
            const auto n = static_cast<index_t>(forest.size());
            expect_right({.what = "forest", .tree = forest, .shape = shape_of(0, type, n, count)}, true);
            expect_right(
                {.what = "forest", .tree = shuffled(forest, 9), .shape = shape_of(1, type, n, count)}, true);
        }
}

TEST_P(TreeHines, LargeTrees) {
    if (GetParam().where == backend::reference) GTEST_SKIP() << "the reference has no schedule to test";
    unsigned turn = 0;
    for (const auto& [name, tree] : trees::every_kind(30000))
        for (const scalar type : types) {
            ++turn;
            expect_right({.what = name,
                          .tree = tree,
                          .shape = shape_of(0, type, 30000, 1 + turn % 3),
                          .seed = turn,
                          .symmetric = turn % 3 == 0});
        }
}

TEST_P(TreeHines, Giants) {
    if (!GetParam().name.ends_with("/contraction")) GTEST_SKIP() << "only contraction has levels of windows";
    const std::int32_t n = 1'000'000 / one_question_in();
    for (const auto& [name, tree] : {trees::named{"path", path(n)},
                                     {"star", star(n)},
                                     {"binary", binary(n)},
                                     {"comb, leaves last", trees::comb_backwards(n)}})
        expect_right({.what = name, .tree = tree, .shape = shape_of(0, scalar::f64, n, 1)});
}

TEST_P(TreeHines, BadPivots) {
    parents tree = neuron(100, 2);
    tree[41] = 0;
    for (std::size_t i = 0; i < tree.size(); ++i)
        if (tree[i] == 41) tree[i] = 40;
    const hines_plan plan{std::span<const std::int32_t>(tree)};
    const execution at = where();
    std::int64_t lowest_leaf = 0;
    while (std::find(tree.begin(), tree.end(), lowest_leaf) != tree.end()) ++lowest_leaf;
    for (const int layout : {0, 1}) {
        const vector_shape s = shape_of(layout, scalar::f64, 100, 5);
        values d(5, std::vector<double>(100, 4)), off(5, std::vector<double>(100, -1)),
            b(5, std::vector<double>(100, 1));
        d[2][60] = std::nan("");
        d[3].assign(100, 0);
        d[4][41] = 0;  // a pivot of 0 where it is a leaf
        const stored_vectors diagonal(at, s, d), coupling(at, s, off), x(at, s, b);
        const std::vector<std::int64_t> none(5, -7);
        buffer<std::int64_t> status = to_device(at, std::span<const std::int64_t>(none));
        hines_result r;
        try {
            r = hines_solve(at, plan, diagonal.const_view(), coupling.const_view(), coupling.const_view(),
                            x.view(), {.variant = variant_of(GetParam()), .status = status.data()});
        } catch (const unsupported_variant& e) {
            EXPECT_TRUE(may_refuse(GetParam().name, {.what = "bad pivots", .tree = tree, .shape = s}))
                << e.what();
            continue;
        }
        EXPECT_EQ(r.first_bad_system, 2);
        EXPECT_EQ(r.first_bad_row, 60);
        std::vector<std::int64_t> found(5);
        copy_bytes(at, found.data(), status.data(), 5 * index_t{sizeof(std::int64_t)});
        EXPECT_EQ(found, (std::vector<std::int64_t>{-1, -1, 60, lowest_leaf, 41}));
        const values solution = x.now();
        for (const std::size_t good : {0u, 1u})
            for (const double v : solution[good]) EXPECT_TRUE(v > 0 && v < 2);
    }
}

TEST_P(TreeHines, NamesTheLowestBadPivotOfALargeTree) {
    const parents tree = star(30000);
    for (const double wrong : {0.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
        trees::system a(tree, 1);
        a.diagonal[17000] = a.diagonal[12345] = wrong;
        const auto found = solved(tree, a);
        if (!found) return;
        EXPECT_EQ(found->first.first_bad_system, 0);
        EXPECT_EQ(found->first.first_bad_row, 12345);
    }
}

/// cuda/register_partition gives neurons of these sizes to teams of every size.
TEST_P(TreeHines, NeuronsOfEverySizeOfTeam) {
    for (const std::int32_t n : {20, 150, 300, 690, 1000, 2000})
        EXPECT_TRUE(hines_expectations(GetParam())
                        .expect_right({.what = "neuron",
                                       .tree = trees::neuron(n, 0.05, 3),
                                       .shape = shape_of(0, scalar::f64, n, 7)}));
}

TEST_P(TreeHines, ForestsOfAThousandTrees) {
    parents small, few;
    for (int k = 0; k < 1000; ++k) {
        append(small, any(1 + k % 97, static_cast<std::uint64_t>(k)));
        append(few, trees::neuron(50 + k % 7 * 90, 0.07, static_cast<std::uint64_t>(k % 7)));
    }
    for (const auto& [name, forest] : {std::pair<const char*, parents>{"small", small},
                                       {"few forms", few},
                                       {"roots", parents(5000, -1)},
                                       {"shuffled", shuffled(small, 3)}}) {
        const auto n = static_cast<index_t>(forest.size());
        expect_right({.what = name, .tree = forest, .shape = shape_of(0, scalar::f64, n, 2)}, true);
        expect_right({.what = name, .tree = forest, .shape = shape_of(1, scalar::f32, n, 3)}, true);
    }
}

TEST_P(TreeHines, APivotBeyondReciprocalsIsDividedBy) {
    const parents tree = path(40);
    trees::system a(tree, 2);
    a.diagonal[20] = 0x1p1023;
    const auto found = solved(tree, a);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first.first_bad_system, -1);
    for (const double value : found->second) ASSERT_TRUE(std::isfinite(value));
}

TEST_P(TreeHines, ScalingTheRightSideScalesTheAnswerBitForBit) {
    for (const std::int32_t n : {500, 20000}) {
        const parents tree = trees::neuron(n, 0.05, 6);
        trees::system a(tree, 11);
        const auto plain = solved(tree, a);
        if (!plain) return;
        for (double& e : a.rhs) e = std::ldexp(e, -300);
        const std::vector<double> scaled = solved(tree, a)->second;
        for (std::size_t i = 0; i < scaled.size(); ++i)
            ASSERT_EQ(scaled[i], std::ldexp(plain->second[i], -300)) << n << ", node " << i;
    }
}

TEST_P(TreeHines, RepeatsItsBits) {
    const hines_question q{
        .what = "again", .tree = neuron(5000, 8), .shape = shape_of(0, scalar::f64, 5000, 20)};
    const hines_plan plan{std::span<const std::int32_t>(q.tree)};
    std::string why;
    const auto first = ask_hines(where(), variant_of(GetParam()), plan, q, &why);
    for (int again = 0; first && again < 4; ++again)
        EXPECT_TRUE(ask_hines(where(), variant_of(GetParam()), plan, q, &why)->bits == first->bits);
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeHines, testing::ValuesIn(rows_and_automatic(tree::hines_rows)), test_name);

/// Rows with every row of their tuning tables, and at which sizes their code changes.
struct tuned_hines : named_row {
    std::vector<std::int32_t> sizes{1, 2, 31, 100, 340, 699};
};

std::vector<tuned_hines> every_tuning() {
    named_rows rows{row_called("cpu/lanes")};
    add_tunings(rows, "cuda/levels", "tree/hines/levels", tree::block_levels::policies);
    for (const std::string row : {"register_sweep", "one_thread_per_tree"})
        add_tunings(rows, "cuda/" + row, "tree/hines/" + row, tree::thread_sweeps::policies);
    add_tunings(rows, "cuda/register_partition", "tree/hines/register_partition",
                tree::register_partition::policies);
    std::vector<tuned_hines> all;
    for (const named_row& r : rows) all.push_back({r});
    const auto add_windows = [&](const named_row& row, std::int32_t window) {
        all.push_back({row});
        for (const std::int32_t n : {17, 127, 128, 129, window - 1, window, window + 1, 3 * window + 5})
            all.back().sizes.push_back(n);
    };
    add_windows(row_called("cpu/contraction"), tree::chosen_contraction.limits.window);
    for (const std::size_t k : tuning::compiled_rows(tree::contraction_policies))
        add_windows(row_with("cuda/contraction", "tree/hines/contraction", k),
                    tree::contraction_policies[k].policy.limits.window);
    return all;
}

class TunedHines : public row_test_of<tuned_hines> {};

TEST_P(TunedHines, AreRight) {
    const hines_expectations expectations(GetParam());
    int taken = 0;
    for (const std::int32_t n : GetParam().sizes)
        for (const auto& [name, tree] : trees::every_kind(n))
            for (const int layout : {0, 1, 4})
                for (const scalar type : types)
                    taken += expectations.expect_right(
                                 {.what = name,
                                  .tree = tree,
                                  .shape = shape_of(layout, type, n, 1 + n % (n < 700 ? 35 : 2)),
                                  .seed = static_cast<unsigned>(n)})
                                 ? 1
                                 : 0;
    EXPECT_GT(taken, 0);
}

INSTANTIATE_TEST_SUITE_P(Rows, TunedHines, testing::ValuesIn(every_tuning()), test_name);

TEST(HinesChoice, LargeTreesOfManyLevelsAreContracted) {
    const auto taken = [](const parents& p, int threads) {
        const hines_question q{.what = "", .tree = p, .shape = shape_of(0, scalar::f64, std::ssize(p), 1)};
        std::string why;
        return ask_hines(on_cpu{.threads = threads}, "automatic", hines_plan(p), q, &why)->result.run.variant;
    };
    EXPECT_EQ(taken(path(200000), 2), "cpu/contraction");
    EXPECT_EQ(taken(path(200000), 1), "cpu/contraction");
    EXPECT_NE(taken(star(200000), 2), "cpu/contraction");
    EXPECT_EQ(taken(path(1000), 2), "cpu/contraction");
    EXPECT_NE(taken(path(100), 2), "cpu/contraction");
    EXPECT_NE(taken(star(1000), 2), "cpu/contraction");
}

void expect_refused(const parents& tree, const std::string& part) {
    expect_thrown<bad_argument>(part, [&] { const hines_plan plan{std::span<const std::int32_t>(tree)}; });
}

TEST(HinesPlan, RefusesWhatIsNoTree) {
    expect_refused({-1, 0, 5}, "parent[2]: is 5");
    expect_refused({-1, 0, -2}, "parent[2]: is -2");
    expect_refused({-1, 1}, "parent[1]: is 1, the node itself");
    expect_refused({-1, 0, -1}, "parent[2]: is -1, a second root");
    expect_refused({-1, 3, 1, 2}, "closes a cycle");
    expect_refused({1, 0}, "closes a cycle");
}

TEST(HinesPlan, KnowsItsForm) {
    const parents tree = neuron(500, 1);
    const hines_plan plan{std::span<const std::int32_t>(tree)};
    EXPECT_EQ(plan.size(), 500);
    EXPECT_EQ(plan.trees(), 1);
    EXPECT_TRUE(plan.depth_first());
    const parents way = path(10);
    const hines_plan chain{std::span<const std::int32_t>(way)};
    EXPECT_EQ(chain.depth(), 9);
    EXPECT_EQ(chain.branches(), 0);
    const parents twigs{-1, 0, 0, 1};
    const hines_plan breadth{std::span<const std::int32_t>(twigs)};
    EXPECT_FALSE(breadth.depth_first());
    EXPECT_EQ(breadth.branches(), 1);
    const parents two{-1, 0, -1};
    const hines_plan forest{std::span<const std::int32_t>(two), {.forest = true}};
    EXPECT_EQ(forest.trees(), 2);
    const hines_plan nothing{std::span<const std::int32_t>()};
    EXPECT_EQ(nothing.size(), 0);
}

/// Ten million nodes in a row: nothing may recurse.
TEST(HinesPlan, TakesLongPaths) {
    const std::int32_t n = 10'000'000 / one_question_in();
    const parents tree = shuffled(path(n), 1);
    const hines_plan plan{std::span<const std::int32_t>(tree)};
    EXPECT_EQ(plan.depth(), n - 1);
}

}  // namespace
}  // namespace wale::agreement
