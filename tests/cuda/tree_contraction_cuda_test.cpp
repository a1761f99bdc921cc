// tree_contraction_cuda_test - contraction on the device: trees of every form, every candidate of its tuning
// table around the edges of windows, giants, many vectors in other layouts, the same bits again.
#include <gtest/gtest.h>

#include <cstring>

#include "agreement/trees.hpp"
#include "solvers/tree/hines/cuda/contraction/tuning.hpp"
#include "tuning_rows.hpp"

namespace wale::agreement {
namespace {

class tree_contraction_cuda : public ::testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    template <class T>
    static void expect_solves(const parents_of& p, const std::string& what, bool forest = false) {
        const hines_plan plan(p, {.forest = forest});
        const tree_system<T> s(p, static_cast<unsigned>(p.size()));
        const auto a = solve_on<T>(on_cuda{}, "cuda/contraction", plan, s);
        EXPECT_EQ(a.result.first_bad_system, -1) << what;
        // As on the host (tree_contraction_test): a handful of roundings a row.
        EXPECT_LT(a.residual, 32 * std::numeric_limits<T>::epsilon()) << what << ", " << p.size() << " nodes";
        const auto again = solve_on<T>(on_cuda{}, "cuda/contraction", plan, s);
        EXPECT_EQ(std::memcmp(a.solution.data(), again.solution.data(), p.size() * sizeof(T)), 0) << what;
    }
};

TEST_F(tree_contraction_cuda, every_candidate_solves_every_form) {
    for (const std::size_t row : tuning::compiled_rows(tree::contraction_policies)) {
        const tuning::scoped_override forced("tree/hines/contraction=" + std::to_string(row));
        const int window = tree::contraction_policies[row].policy.limits.window;
        for (const std::int32_t n : {1, 2, 3, window - 1, window, window + 1, 3 * window + 5, 40000}) {
            const std::string of = " with row " + std::to_string(row);
            expect_solves<double>(path_of(n), "path" + of);
            expect_solves<double>(star_of(n), "star" + of);
            expect_solves<double>(binary_of(n), "binary" + of);
            expect_solves<double>(comb_of(n, true), "comb" + of);
            expect_solves<double>(shuffled_of(neuron_of(n, 9, 1), 2), "shuffled" + of);
            expect_solves<float>(neuron_of(n, 14, 3), "neuron" + of);
            expect_solves<double>(parents_of(static_cast<std::size_t>(n), -1), "roots" + of, true);
        }
    }
}

TEST_F(tree_contraction_cuda, solves_giants) {
    constexpr std::int32_t n = 10000000;
    expect_solves<double>(path_of(n), "path");
    expect_solves<double>(star_of(n), "star");
    expect_solves<double>(neuron_of(n, 30, 1), "neuron");
    expect_solves<double>(comb_of(n, true), "comb, leaves last");
}

TEST_F(tree_contraction_cuda, names_a_bad_pivot) {
    const parents_of p = star_of(30000);
    const hines_plan plan(p);
    tree_system<double> s(p);
    s.diagonal[17000] = s.diagonal[12345] = 0;
    const auto a = solve_on<double>(on_cuda{}, "cuda/contraction", plan, s);
    EXPECT_EQ(a.result.first_bad_system, 0);
    EXPECT_EQ(a.result.first_bad_row, 12345);
}

}  // namespace
}  // namespace wale::agreement
