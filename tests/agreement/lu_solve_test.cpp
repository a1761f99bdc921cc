// lu_solve_test - every row of lu_solve, host and CUDA, through the public interface: the residual is asked
// of plain loops.
#include <algorithm>
#include <cmath>

#include "agreement/lu_rows.hpp"
#include "solvers/lu/cuda/staged_tuning.hpp"
#include "solvers/lu/cuda/triangles_tuning.hpp"
#include "solvers/lu/jobs.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;

constexpr scalar types[] = {scalar::f32, scalar::f64};
constexpr storage_order orders[] = {column_major, row_major};

struct solve_question {
    std::string what;
    std::vector<dense> all;    // to solve with, square
    std::vector<dense> right;  // one for each
    placement how, right_how;  // `how.type` counts
    bool transposed = false;
    bool asynchronous = false;
};

struct solve_answer {
    factored system;
    std::vector<dense> right, x;
    std::vector<std::byte> bits;
    bool gaps_untouched = false, factors_untouched = false;
    lu_solve_result result;
};

std::optional<solve_answer> ask_solve(const execution& where, const std::string& variant,
                                      const solve_question& q, std::string* refusal) {
    placement right_how = q.right_how;
    right_how.type = q.how.type;
    right_how.listed = q.how.listed;
    solve_answer a;
    a.system = factored_by_lapack(q.all, q.how.type);
    stored_matrices factors(where, a.system.factors, q.how), b(where, q.right, right_how);
    a.right = b.get();
    const stored_array<std::int32_t> pivots(where, a.system.all_pivots());
    const lu_solve_options options{
        .variant = variant, .transposed = q.transposed, .asynchronous = q.asynchronous};
    const std::vector<std::byte> before = factors.bits();
    try {
        a.result = q.how.listed ? lu_solve(where, std::span<const const_matrices>(factors.const_list()),
                                           pivots.data(), std::span<const matrices>(b.list()), options)
                                : lu_solve(where, factors.uniform(), pivots.data(), b.uniform(), options);
    } catch (const unsupported_variant& e) {
        *refusal = e.what();
        return std::nullopt;
    }
    a.x = b.get();
    a.bits = b.bits();
    a.gaps_untouched = b.gaps_untouched();
    a.factors_untouched = factors.bits() == before;
    return a;
}

std::string trace_of_solve(const solve_question& q, int threads) {
    return q.what + ", " + name_of(q.how.type) +
           (q.how.order == row_major ? ", row-major, gap " : ", column-major, gap ") +
           std::to_string(q.how.gap) +
           (q.right_how.order == row_major ? ", B row-major, gap " : ", B column-major, gap ") +
           std::to_string(q.right_how.gap) + (q.transposed ? ", transposed, " : ", ") +
           std::to_string(threads) + " threads";
}

class LuSolve : public lu_row_test<solve_question, ask_solve, trace_of_solve> {
protected:
    static void expect_right(const solve_question& q) {
        if (!asked_here()) return;
        expect_of_all_threads(q, [&](const solve_answer& found, const std::string& trace) {
            EXPECT_TRUE(found.gaps_untouched) << trace;
            EXPECT_TRUE(found.factors_untouched) << trace;
            for (std::size_t k = 0; k < q.all.size(); ++k) {
                const dense& a = found.system.originals[k];
                const double ratio =
                    solve_ratio(q.transposed ? transposed(a) : a, found.x[k], found.right[k], q.how.type);
                EXPECT_LT(ratio, good_ratio) << trace << ", matrix " << k;
            }
        });
    }
};

/// Neither more nor less than what is declared.
TEST_P(LuSolve, RefusesWhatItDeclares) {
    for (const index_t n : {1025, 4097}) {
        const dense unit = dense_of(n, n, [](index_t i, index_t j) { return i == j; });
        stored_matrices factors(where(), {unit}, {}), b(where(), {dense(n, 1, 3)}, {});
        const auto solve = [&] {
            (void)lu_solve(where(), factors.uniform(), nullptr, b.uniform(), {.variant = GetParam().name});
        };
        if (GetParam().name == "cuda/batched" && n > 4096)
            EXPECT_THROW(solve(), unsupported_variant) << n;
        else
            EXPECT_NO_THROW(solve()) << n;
    }
}

TEST_P(LuSolve, EverySize) {
    unsigned turn = 0;
    for (const scalar type : types)
        for (const storage_order order : orders)
            for (const bool transposed : {false, true})
                for (index_t n = 0; n <= 80; ++n) {
                    ++turn;
                    expect_right({.what = "n = " + std::to_string(n),
                                  .all = {random_matrix(n, n, turn)},
                                  .right = {random_matrix(n, 1 + turn % 4, turn + 1)},
                                  .how = {.type = type, .order = order, .gap = turn % 3},
                                  .right_how = {.order = orders[turn % 2], .gap = turn / 2 % 3},
                                  .transposed = transposed});
                }
}

TEST_P(LuSolve, LargerSizes) {
    unsigned turn = 0;
    std::vector<index_t> sizes{127, 128, 129, 192, 255, 256, 257, 300, 513};
    if (GetParam().name == "cuda/batched") sizes.insert(sizes.end(), {1030, 2100});
    for (const index_t n : sizes)
        for (const scalar type : types)
            for (const bool transposed : {false, true}) {
                if (n == 513 && GetParam().where == backend::reference) continue;
                ++turn;
                expect_right({.what = "n = " + std::to_string(n),
                              .all = {random_matrix(n, n, turn)},
                              .right = {random_matrix(n, 1 + turn % 5, turn)},
                              .how = {.type = type, .order = orders[turn % 2], .gap = turn % 3},
                              .right_how = {.order = orders[turn / 2 % 2]},
                              .transposed = transposed});
            }
}

TEST_P(LuSolve, RightHandSides) {
    unsigned turn = 0;
    for (const index_t sides : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130})
        for (const index_t n : {1, 5, 33, 100})
            for (const bool transposed : {false, true})
                for (const storage_order order : orders) {
                    ++turn;
                    expect_right({.what = std::to_string(n) + ", " + std::to_string(sides) + " sides",
                                  .all = {random_matrix(n, n, turn)},
                                  .right = {random_matrix(n, sides, turn)},
                                  .how = {.type = types[turn / 2 % 2], .order = orders[turn / 3 % 2]},
                                  .right_how = {.order = order, .gap = turn % 3},
                                  .transposed = transposed});
                }
}

/// More than are solved for at once.
TEST_P(LuSolve, RightHandSidesInParts) {
    for (const bool transposed : {false, true})
        expect_right({.what = "parts",
                      .all = {random_matrix(96, 96, 3)},
                      .right = {random_matrix(96, 4096 + 33, 4)},
                      .how = {.type = scalar::f32, .order = orders[transposed]},
                      .right_how = {.order = orders[!transposed]},
                      .transposed = transposed});
}

TEST_P(LuSolve, Kinds) {
    unsigned turn = 0;
    for (const char* name :
         {"heavy diagonal", "diagonal", "upper triangle", "lower triangle", "tridiagonal", "well conditioned",
          "badly conditioned", "orthogonal", "near underflow", "near overflow", "zero leading pivot",
          "cyclic permutation", "Wilkinson", "Kac-Murdock-Szego"})
        for (const index_t n : {1, 20, 70})
            for (const scalar type : types)
                for (const bool transposed : {false, true}) {
                    if (n == 1 && (name == std::string_view("zero leading pivot") ||
                                   name == std::string_view("Wilkinson")))
                        continue;  // [0]
                    const auto kind =
                        std::find_if(matrix_kinds().begin(), matrix_kinds().end(),
                                     [&](const matrix_kind& k) { return k.name == std::string_view(name); });
                    const dense a = kind->make(n, n, type, ++turn);
                    // The solution has the size of 1 or less wherever the matrix lies in its range.
                    expect_right({.what = name,
                                  .all = {a},
                                  .right = {product(transposed ? agreement::transposed(a) : a,
                                                    random_matrix(n, 3, turn))},
                                  .how = {.type = type, .order = orders[turn % 2]},
                                  .right_how = {.order = orders[turn / 2 % 2]},
                                  .transposed = transposed});
                }
}

TEST_P(LuSolve, Batches) {
    unsigned turn = 0;
    for (const index_t count : {2, 5, 100})
        for (const index_t n : {1, 2, 3, 4, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65})
            for (const index_t sides : {1, 3}) {
                ++turn;
                std::vector<dense> all, right;
                for (index_t k = 0; k < count; ++k) {
                    all.push_back(random_matrix(n, n, turn * 200 + static_cast<unsigned>(k)));
                    right.push_back(random_matrix(n, sides, turn * 200 + static_cast<unsigned>(k) + 7));
                }
                expect_right({.what = std::to_string(count) + " of " + std::to_string(n),
                              .all = std::move(all),
                              .right = std::move(right),
                              .how = {.type = types[turn % 2],
                                      .order = orders[turn / 2 % 2],
                                      .gap = turn % 3,
                                      .apart = turn % 4},
                              .right_how = {.order = orders[turn / 3 % 2], .gap = turn % 2, .apart = 2},
                              .transposed = turn % 5 == 0});
            }
}

TEST_P(LuSolve, Lists) {
    constexpr index_t sizes[] = {7, 0, 1, 64, 33, 2, 100, 16, 17, 3, 65, 31, 128, 5};
    for (const scalar type : types)
        for (const bool transposed : {false, true}) {
            std::vector<dense> all, right;
            unsigned seed = 1;
            for (const index_t n : sizes) {
                all.push_back(random_matrix(n, n, ++seed));
                right.push_back(random_matrix(n, seed % 4, seed));
            }
            expect_right({.what = "list",
                          .all = std::move(all),
                          .right = std::move(right),
                          .how = {.type = type, .gap = 1, .apart = 3, .listed = true},
                          .right_how = {.order = row_major, .gap = 2, .apart = 1},
                          .transposed = transposed});
        }
}

/// After pivoting none there are no pivots: a null pointer.
TEST_P(LuSolve, WithoutPivots) {
    for (const scalar type : types)
        for (const index_t n : {1, 30, 65, 130}) {
            const std::vector<dense> all{dominant_matrix(n, n, 4)}, right{random_matrix(n, 2, 5)};
            const factor_question q{
                .what = "", .all = all, .how = {.type = type}, .options = {.pivoting = pivoting::none}};
            std::string refusal;
            const auto f = ask_factor(on_reference{}, "plain", q, &refusal);
            for (const bool transposed : {false, true}) {
                stored_matrices factors(where(), f->factors, {.type = type}),
                    b(where(), right, {.type = type});
                const dense before = b.get()[0];
                (void)lu_solve(where(), factors.uniform(), nullptr, b.uniform(),
                               {.variant = GetParam().name, .transposed = transposed});
                const dense& a = f->originals[0];
                EXPECT_LT(solve_ratio(transposed ? agreement::transposed(a) : a, b.get()[0], before, type),
                          good_ratio)
                    << n << (transposed ? " transposed" : "");
            }
        }
}

/// What is not finite stays in its column; singular factors divide by zero and nothing else happens.
TEST_P(LuSolve, NotFinite) {
    for (const bool transposed : {false, true})
        for (const storage_order order : orders) {
            const index_t n = 70;
            solve_question q{.what = "NaN in B",
                             .all = {random_matrix(n, n, 3)},
                             .right = {random_matrix(n, 9, 4)},
                             .how = {},
                             .right_how = {.order = order},
                             .transposed = transposed};
            const auto good = answer(q);
            q.right[0](n / 2, 4) = std::nan("");
            q.right[0](1, 5) = HUGE_VAL;
            const auto found = answer(q);
            ASSERT_TRUE(good && found);
            for (index_t j = 0; j < 9; ++j) {
                bool same = true, finite = true;
                for (index_t i = 0; i < n; ++i) {
                    same = same && good->x[0](i, j) == found->x[0](i, j);
                    finite = finite && std::isfinite(found->x[0](i, j));
                }
                EXPECT_EQ(same, j != 4 && j != 5) << j;
                EXPECT_EQ(finite, j != 4 && j != 5) << j;
            }
            q.all = {dense(n, n)};
            EXPECT_FALSE(all_finite(answer(q)->x[0]));
        }
}

TEST_P(LuSolve, TheSameBitsAgain) {
    const solve_question q{.what = "again",
                           .all = {random_matrix(200, 200, 3)},
                           .right = {random_matrix(200, 40, 4)},
                           .how = {},
                           .right_how = {}};
    for (const int threads : thread_counts()) {
        const auto first = answer(q, threads), second = answer(q, threads);
        ASSERT_TRUE(first && second);
        EXPECT_TRUE(first->bits == second->bits);
    }
}

TEST_P(LuSolve, Asynchronous) {
    if (!on_device()) GTEST_SKIP() << "host rows return when they are done";
    expect_right({.what = "queued",
                  .all = {random_matrix(130, 130, 3)},
                  .right = {random_matrix(130, 5, 4)},
                  .how = {},
                  .right_how = {},
                  .asynchronous = true});
}

TEST_P(LuSolve, TheReportSaysWhatRan) {
    const auto found = answer({.what = "report",
                               .all = {random_matrix(50, 50, 3)},
                               .right = {random_matrix(50, 4, 4)},
                               .how = {},
                               .right_how = {}});
    EXPECT_EQ(found->result.run.variant, GetParam().name);
    EXPECT_EQ(found->result.run.work, 2.0 * 50 * 50 * 4);
}

INSTANTIATE_TEST_SUITE_P(Variants, LuSolve, testing::ValuesIn(rows_of(lu::solve_rows)), test_name);

/// The same with every row of the tuning tables.
class LuSolveTuned : public tuned_lu_test {};

TEST_P(LuSolveTuned, EdgesOfBlocks) {
    for (const index_t n : {1, 6, 16, 32, 63, 64, 129, 300, 700})
        for (const index_t sides : {1, 3, 70})
            for (const bool transposed : {false, true}) {
                std::string refusal;
                const solve_question q{.what = "",
                                       .all = {random_matrix(n, n, 31)},
                                       .right = {random_matrix(n, sides, 32)},
                                       .how = {.type = GetParam().type, .order = orders[n % 2], .gap = 1},
                                       .right_how = {.order = orders[sides % 2], .gap = 2},
                                       .transposed = transposed};
                const auto found = ask_solve(where(), GetParam().name, q, &refusal);
                ASSERT_TRUE(found) << refusal;
                const dense& a = found->system.originals[0];
                EXPECT_LT(solve_ratio(transposed ? agreement::transposed(a) : a, found->x[0], found->right[0],
                                      q.how.type),
                          good_ratio)
                    << n << " x " << sides << (transposed ? ", transposed" : "");
                EXPECT_TRUE(found->gaps_untouched);
            }
}

std::vector<tuned_lu_row> tuned_solves() {
    const auto blocks = numbers_below(std::size(lu::triangular::policies)),
               staged = numbers_below(std::size(lu::batched::staged_policies));
    return tuned_lu_rows(rows_of(lu::solve_rows),
                         {{.row = "cuda/blocked", .table = "lu/solve/blocked", .f32 = blocks, .f64 = blocks},
                          {.row = "cuda/batched", .table = "lu/solve/staged", .f32 = staged, .f64 = staged}});
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LuSolveTuned);  // there may be no plugin
INSTANTIATE_TEST_SUITE_P(Tuned, LuSolveTuned, testing::ValuesIn(tuned_solves()), tuned_name);

}  // namespace
}  // namespace wale::agreement
