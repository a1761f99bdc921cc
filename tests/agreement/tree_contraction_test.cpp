// tree_contraction_test - cpu/contraction and cuda/contraction with every row of their tuning tables: trees
// of every form, edges of windows, giants, the same bits for any number of threads; and the schedule by
// itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/hines.hpp>

#include "agreement/tuned_rows.hpp"
#include "solvers/tree/hines/cpu/tuning.hpp"
#include "solvers/tree/hines/cuda/contraction/tuning.hpp"
#include "solvers/tree/hines/shared/contraction/schedule.hpp"
#include "thinned.hpp"
#include "tuning_rows.hpp"
#include "unit/random_trees.hpp"

namespace wale::agreement {
namespace {

// Parents of many forms for the tests of contraction, and one solve that knows its own error.

/// A path with a leaf at each node, all leaves behind the path, the last node's first, which leaves half of
/// the nodes open.
trees::parents comb_backwards(std::int32_t n) {
    trees::parents p(static_cast<std::size_t>(n));
    for (std::int32_t i = 0; i < n; ++i)
        p[static_cast<std::size_t>(i)] = i < (n + 1) / 2 ? i - 1 : std::max(0, n - 1 - i);
    p[0] = -1;
    return p;
}

/// A system whose columns are dominated by their diagonals, on the host.
template <class T>
struct tree_system {
    std::vector<T> upper, lower, diagonal, rhs;
    explicit tree_system(const trees::parents& p, unsigned seed = 1)
        : upper(p.size()), lower(p.size()), diagonal(p.size()), rhs(p.size()) {
        std::mt19937 engine(seed);
        const auto uniform = [&] { return static_cast<T>(engine() % 20001u) / T(10000) - T(1); };
        for (std::size_t i = 0; i < p.size(); ++i) {
            upper[i] = uniform();
            lower[i] = uniform();
            rhs[i] = uniform();
            diagonal[i] = T(1.5) + std::fabs(lower[i]) + uniform() / 4;
        }
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (p[i] >= 0) {
                diagonal[static_cast<std::size_t>(p[i])] += std::fabs(upper[i]);
            } else {
                upper[i] = lower[i] = std::numeric_limits<T>::quiet_NaN();  // no variant uses them
            }
        }
        for (std::size_t i = 0; i < p.size(); i += 3) diagonal[i] = -diagonal[i];
    }
    [[nodiscard]] vector_shape shape() const {
        return vector_shape::flat(sizeof(T) == 4 ? scalar::f32 : scalar::f64,
                                  static_cast<index_t>(upper.size()));
    }
};

template <class T>
struct tree_answer {
    std::vector<T> solution;
    double residual = 0;
    hines_result result;
};

/// Solves on `where`; the residual is asked of plain loops on the host.
template <class T>
tree_answer<T> solve_on(const execution& where, const std::string& variant, const hines_plan& plan,
                        const tree_system<T>& s) {
    const auto there = [&](const std::vector<T>& v) { return to_device(where, std::span<const T>(v)); };
    const auto u = there(s.upper), l = there(s.lower), d = there(s.diagonal), b = there(s.rhs);
    const vector_shape shape = s.shape();
    tree_answer<T> a;
    a.result = hines_solve(where, plan, {d.data(), shape}, {u.data(), shape}, {l.data(), shape},
                           vectors(b.data(), shape), {.variant = variant});
    a.solution.resize(s.rhs.size());
    copy_bytes(where, a.solution.data(), b.data(), static_cast<index_t>(s.rhs.size() * sizeof(T)));
    a.residual = hines_residual(on_cpu{}, plan, {s.diagonal.data(), shape}, {s.upper.data(), shape},
                                {s.lower.data(), shape}, {s.rhs.data(), shape}, {a.solution.data(), shape});
    return a;
}

/// Pivots are sums of an own term and those of children, folded in any order, and the fill adds one product a
/// node: both sides of a row collect a handful of roundings, each below eps of its largest term.
template <class T>
constexpr double tolerance = 32 * std::numeric_limits<T>::epsilon();

struct tuned_contraction : tuned_row {
    std::int32_t window;
};

class tree_contraction_rows : public tuned_test<tuned_contraction> {
protected:
    template <class T>
    static void expect_solves(const trees::parents& p, const std::string& what, bool forest = false) {
        const named_row& row = GetParam().row;
        const hines_plan plan(p, {.forest = forest});
        const tree_system<T> s(p, static_cast<unsigned>(p.size()));
        const auto a = solve_on<T>(execution_of(row, 2), row.name, plan, s);
        EXPECT_EQ(a.result.first_bad_system, -1) << what;
        EXPECT_LT(a.residual, tolerance<T>) << what << ", " << p.size() << " nodes";
        if (row.where != backend::cuda) return;  // threads are compared below
        const auto again = solve_on<T>(execution_of(row), row.name, plan, s);
        EXPECT_EQ(std::memcmp(a.solution.data(), again.solution.data(), p.size() * sizeof(T)), 0) << what;
    }
};

std::vector<tuned_contraction> every_tuning() {
    std::vector<tuned_contraction> all;
    for (std::size_t k = 0; k < std::size(tree::contraction_cpu_policies); ++k)
        all.push_back({{row_called("cpu/contraction"), "tree/hines/contraction_cpu=" + std::to_string(k)},
                       tree::contraction_cpu_policies[k].policy.limits.window});
    for (const std::size_t k : tuning::compiled_rows(tree::contraction_policies))
        all.push_back({{row_called("cuda/contraction"), "tree/hines/contraction=" + std::to_string(k)},
                       tree::contraction_policies[k].policy.limits.window});
    return all;
}

TEST_P(tree_contraction_rows, solve_every_form_around_the_edges_of_windows) {
    const std::int32_t w = GetParam().window;
    for (const std::int32_t n :
         {1, 2, 3, 17, 18, 127, 128, 129, w - 1, w, w + 1, 2 * w + 1, 3 * w + 5, 40000})
        for (const bool shuffle : {false, true}) {
            const auto form = [&](const trees::parents& p, const std::string& what) {
                expect_solves<double>(shuffle ? trees::shuffled(p, 3) : p, what);
            };
            form(trees::path(n), "path");
            form(trees::star(n), "star");
            form(trees::binary(n), "binary");
            form(trees::comb(n), "comb");
            form(comb_backwards(n), "comb, leaves last");
            form(trees::neuron(n, 1.0 / 14, 2), "neuron");
            form(trees::any(n, 5), "random");
            expect_solves<float>(
                shuffle ? trees::shuffled(trees::neuron(n, 1.0 / 5, 1), 7) : trees::neuron(n, 1.0 / 5, 1),
                "f32");
            expect_solves<double>(trees::parents(static_cast<std::size_t>(n), -1), "roots", true);
        }
}

INSTANTIATE_TEST_SUITE_P(rows, tree_contraction_rows, testing::ValuesIn(every_tuning()),
                         [](const auto& one) { return tuned_name(one.param); });

/// The rows as they are tuned.
class tree_contraction : public tree_contraction_rows {};

INSTANTIATE_TEST_SUITE_P(rows, tree_contraction,
                         testing::Values(tuned_contraction{{row_called("cpu/contraction"), ""}, 4096},
                                         tuned_contraction{{row_called("cuda/contraction"), ""}, 1024}),
                         [](const auto& one) { return tuned_name(one.param); });

TEST_P(tree_contraction, solves_a_thousand_random_trees) {
    for (unsigned seed = 0; seed < 1000; ++seed) {
        const auto n = static_cast<std::int32_t>(1 + seed * 37 % 2500);
        const auto reach = static_cast<std::int32_t>(1 + seed % 7 * (seed % 11) * 10);
        trees::parents p =
            seed % 2 ? trees::any(n, seed, reach) : trees::neuron(n, 1.0 / (2 + seed % 20), seed);
        if (seed % 3 == 0) p = trees::shuffled(p, seed);
        if (seed % 5 == 0) expect_solves<float>(p, "seed " + std::to_string(seed));
        expect_solves<double>(p, "seed " + std::to_string(seed));
    }
}

TEST_P(tree_contraction, solves_giants) {
    const std::int32_t n = 10'000'000 / one_question_in();
    expect_solves<double>(trees::path(n), "path");
    expect_solves<double>(trees::star(n), "star");
    expect_solves<double>(trees::binary(n), "binary");
    expect_solves<double>(comb_backwards(n), "comb, leaves last");
}

TEST_P(tree_contraction, solves_forests_of_any_trees) {
    for (const std::int32_t n : {1, 5, 4097, 50000})
        for (const std::int32_t each : {1, 2, 699, 5000}) {
            trees::parents p = trees::neuron(n, 1.0 / 9, 1);
            for (std::int32_t i = 0; i < n; i += each) p[static_cast<std::size_t>(i)] = -1;
            for (std::int32_t i = 0; i < n; ++i)  // of its own tree
                if (p[static_cast<std::size_t>(i)] >= 0)
                    p[static_cast<std::size_t>(i)] =
                        std::max(p[static_cast<std::size_t>(i)], i / each * each);
            expect_solves<double>(p, "forest of " + std::to_string(each), true);
            expect_solves<double>(trees::shuffled(p, 11), "shuffled forest of " + std::to_string(each), true);
        }
}

TEST(tree_contraction_on_threads, gives_the_same_bits_for_any_number_of_threads) {
    const trees::parents p = trees::neuron(300000, 1.0 / 14, 4);
    const hines_plan plan(p);
    const tree_system<double> s(p);
    const auto one = solve_on<double>(on_cpu{.threads = 1}, "cpu/contraction", plan, s);
    for (const int threads : {2, 3, 5}) {
        const auto more = solve_on<double>(on_cpu{.threads = threads}, "cpu/contraction", plan, s);
        EXPECT_EQ(more.result.run.threads, threads);
        EXPECT_EQ(std::memcmp(one.solution.data(), more.solution.data(), p.size() * sizeof(double)), 0);
    }
}

TEST(tree_contraction_on_threads, scales_with_powers_of_two_bit_for_bit) {
    const trees::parents p = trees::neuron(20000, 1.0 / 14, 4);
    const hines_plan plan(p);
    tree_system<double> s(p);
    const auto plain = solve_on<double>(on_cpu{}, "cpu/contraction", plan, s);
    for (double& b : s.rhs) b = std::ldexp(b, -300);
    const auto scaled = solve_on<double>(on_cpu{}, "cpu/contraction", plan, s);
    for (std::size_t i = 0; i < p.size(); ++i)
        ASSERT_EQ(scaled.solution[i], std::ldexp(plain.solution[i], -300)) << i;
}

TEST_P(tree_contraction, names_a_bad_pivot_and_comes_back) {
    const trees::parents p = trees::star(30000);
    const hines_plan plan(p);
    for (const double wrong : {0.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
        tree_system<double> s(p);
        s.diagonal[17000] = s.diagonal[12345] = wrong;
        const auto a = solve_on<double>(execution_of(GetParam().row, 2), GetParam().row.name, plan, s);
        EXPECT_EQ(a.result.first_bad_system, 0);
        EXPECT_EQ(a.result.first_bad_row, 12345);
    }
}

TEST(tree_contraction_on_threads, leaves_small_trees_and_the_eliminated_diagonal_to_others) {
    const auto taken = [](const trees::parents& p, int threads) {
        return solve_on<double>(on_cpu{.threads = threads}, "automatic", hines_plan(p),
                                tree_system<double>(p))
            .result.run.variant;
    };
    EXPECT_EQ(taken(trees::path(200000), 2), "cpu/contraction");
    EXPECT_EQ(taken(trees::path(200000), 1), "cpu/contraction");
    EXPECT_NE(taken(trees::star(200000), 2), "cpu/contraction");
    EXPECT_EQ(taken(trees::path(1000), 2), "cpu/contraction");
    EXPECT_NE(taken(trees::path(100), 2), "cpu/contraction");
    EXPECT_NE(taken(trees::star(1000), 2), "cpu/contraction");
    const trees::parents p = trees::path(1000);
    const hines_plan plan(p);
    const tree_system<double> s(p);
    std::vector<double> x = s.rhs, e = s.rhs;
    const vector_shape shape = s.shape();
    EXPECT_THROW(hines_solve(on_cpu{}, plan, {s.diagonal.data(), shape}, {s.upper.data(), shape},
                             {s.lower.data(), shape}, vectors(x.data(), shape),
                             {.variant = "cpu/contraction", .eliminated = {e.data(), shape}}),
                 unsupported_variant);
}

/// Every node is eliminated exactly once over all levels.
void expect_complete(const tree::topology& t, const tree::contraction_schedule& schedule) {
    std::vector<int> gone(t.parent.size(), 0);
    for (const tree::contraction_level& level : schedule.levels)
        for (const tree::contraction_window& w : level.windows) {
            const tree::contraction_cell* cells = level.cells.data() + w.cell;
            const auto* list = reinterpret_cast<const std::uint16_t*>(cells + w.list);
            for (int k = 0; k < w.steps; ++k) {
                const auto step = std::bit_cast<tree::contraction_step>(cells[k]);
                for (int r = step.run; r < step.runs_end; ++r) {
                    const auto run = std::bit_cast<tree::contraction_run>(cells[r]);
                    const int count = run.count & ~tree::contraction_run::in_list;
                    for (int i = 0; i < count; ++i) {
                        const int slot =
                            run.count & tree::contraction_run::in_list ? list[run.first + i] : run.first + i;
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

TEST(tree_contraction_schedule, takes_every_node_once_in_few_levels) {
    constexpr std::int32_t n = 200000;
    for (const auto& p :
         {trees::path(n), trees::star(n), trees::binary(n), comb_backwards(n), trees::neuron(n, 1.0 / 30, 1),
          trees::any(n, 2), trees::shuffled(trees::neuron(n, 1.0 / 5, 2), 1)}) {
        const tree::topology t(p, false);
        for (const tree::contraction_limits limits :
             {tree::contraction_limits{128, 1, 1}, tree::contraction_limits{1024, 8, 4}}) {
            const tree::contraction_schedule schedule(t, limits);
            expect_complete(t, schedule);
            EXPECT_LE(schedule.levels.size(), limits.window == 128 ? 5u : 3u);
            for (const tree::contraction_level& level : schedule.levels)
                for (const tree::contraction_window& w : level.windows) EXPECT_LE(w.steps, 24);
        }
    }
}

}  // namespace
}  // namespace wale::agreement
