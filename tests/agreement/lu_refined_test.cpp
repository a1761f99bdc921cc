// lu_refined_test - every row of lu_solve_refined in every precision: whatever it factors in, the answer is
// as good as one of f64, or the outcome reports that it is not.
#include <cmath>

#include "agreement/lu_rows.hpp"
#include "solvers/lu/jobs.hpp"
#include "solvers/lu/refined/cuda/iterative/tuning.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;

constexpr storage_order orders[] = {column_major, row_major};
constexpr factor_precision all_precisions[] = {factor_precision::automatic, factor_precision::f16,
                                               factor_precision::tf32, factor_precision::f32,
                                               factor_precision::f64};

struct refined_question {
    std::string what;
    dense a, b;
    placement how{}, right_how{}, x_how{};
    factor_precision precision = factor_precision::automatic;
    int max_iterations = 50;
};

struct refined_answer {
    dense x;
    std::vector<std::byte> bits;
    bool gaps_untouched = false, inputs_untouched = false;
    lu_refined_result result;
};

std::optional<refined_answer> ask_refined(const execution& where, const std::string& variant,
                                          const refined_question& q, std::string* refusal) {
    stored_matrices a(where, {q.a}, q.how), b(where, {q.b}, q.right_how),
        x(where, {dense(q.b.rows, q.b.columns, 1e300)}, q.x_how);
    const std::vector<std::byte> a_before = a.bits(), b_before = b.bits();
    refined_answer f;
    try {
        f.result = lu_solve_refined(
            where, a.uniform(), b.uniform(), x.uniform(),
            {.variant = variant, .precision = q.precision, .max_iterations = q.max_iterations});
    } catch (const unsupported_variant& e) {
        *refusal = e.what();
        return std::nullopt;
    }
    f.x = x.get()[0];
    f.bits = x.bits();
    f.gaps_untouched = x.gaps_untouched();
    f.inputs_untouched = a.bits() == a_before && b.bits() == b_before;
    return f;
}

/// max over the columns of |b - A x| / (|A| |x| + |b|) in the infinity norm, all in long double: its range
/// holds the norms of what is near the ends of f64's.
double backward_error(const dense& a, const dense& x, const dense& b) {
    using wide = long double;
    wide most = 0, norm = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        wide sum = 0;
        for (index_t j = 0; j < a.columns; ++j) sum += std::fabs(a(i, j));
        norm = std::max(norm, sum);
    }
    for (index_t j = 0; j < b.columns; ++j) {
        wide error = 0, size = 0, right = 0;
        for (index_t i = 0; i < a.rows; ++i) {
            wide off = b(i, j);
            for (index_t k = 0; k < a.columns; ++k) off -= wide{a(i, k)} * x(k, j);
            off = std::fabs(off);
            error = off > error || std::isnan(off) ? off : error;
            size = std::max(size, wide{std::fabs(x(i, j))});
            right = std::max(right, wide{std::fabs(b(i, j))});
        }
        const wide e = error == 0 ? 0 : error / (norm * size + right);
        most = e > most || std::isnan(e) ? e : most;
    }
    return static_cast<double>(most);
}

dense scaled(dense a, int power) {
    for (double& v : a.values) v = std::ldexp(v, power);
    return a;
}

std::string trace_of_refined(const refined_question& q, int threads) {
    return q.what + ", " + name_of(q.precision) + ", n = " + std::to_string(q.a.rows) +
           (q.how.order == row_major ? ", row-major, " : ", column-major, ") + std::to_string(threads) +
           " threads";
}

class LuRefined : public lu_row_test<refined_question, ask_refined, trace_of_refined> {
protected:
    [[nodiscard]] static std::vector<factor_precision> precisions() {
        std::vector<factor_precision> all;
        for (const factor_precision p : all_precisions)
            if (!may_refuse(GetParam().name, p)) all.push_back(p);
        return all;
    }
    /// As good as f64: |b - A x| <= n eps (|A| |x| + |b|), and the row's own measure agrees.
    static void expect_good(const refined_question& q) {
        expect_of_all_threads(q, [&](const refined_answer& found, const std::string& trace) {
            const double error = backward_error(q.a, found.x, q.b),
                         limit = (4 + std::sqrt(static_cast<double>(q.a.rows))) * epsilon_of(scalar::f64);
            EXPECT_LT(error, limit) << trace << ": " << found.result.outcome;
            EXPECT_LT(found.result.backward_error, limit) << trace;
            EXPECT_TRUE(found.gaps_untouched && found.inputs_untouched) << trace;
            EXPECT_EQ(found.result.first_zero, -1) << trace;
            EXPECT_FALSE(found.result.outcome.empty());
            expect_consistent(q, found.result);
        });
    }
    static void expect_consistent(const refined_question& q, const lu_refined_result& r) {
        EXPECT_NE(r.factored, factor_precision::automatic);
        EXPECT_LE(r.iterations, std::max(1, q.max_iterations));
        if (r.fell_back) {
            EXPECT_EQ(r.factored, factor_precision::f64);
        } else if (q.precision != factor_precision::automatic) {
            EXPECT_EQ(r.factored, q.precision) << trace_of(q, 1);
        }
    }
};

/// Neither more nor less than what is declared.
TEST_P(LuRefined, RefusesWhatItDeclares) {
    for (const factor_precision precision : all_precisions) {
        std::string refusal;
        const refined_question q{
            .what = "", .a = dominant_matrix(9, 9, 1), .b = random_matrix(9, 1, 1), .precision = precision};
        EXPECT_EQ(ask_refined(where(), GetParam().name, q, &refusal).has_value(),
                  !may_refuse(GetParam().name, precision))
            << name_of(precision) << ": " << refusal;
    }
}

TEST_P(LuRefined, Sizes) {
    unsigned turn = 0;
    for (const factor_precision precision : precisions())
        for (const index_t n : {0, 1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 64, 65, 100, 128, 129, 200, 257}) {
            ++turn;
            expect_good({.what = "random",
                         .a = random_matrix(n, n, turn),
                         .b = random_matrix(n, 1 + turn % 3, turn),
                         .how = {.order = orders[turn % 2], .gap = turn % 3},
                         .right_how = {.order = orders[turn / 2 % 2], .gap = turn % 2},
                         .x_how = {.order = orders[turn / 3 % 2], .gap = turn / 2 % 2},
                         .precision = precision});
        }
}

TEST_P(LuRefined, RightHandSides) {
    for (const factor_precision precision : precisions())
        for (const index_t sides : {0, 1, 2, 7, 8, 33})
            expect_good({.what = "sides",
                         .a = random_matrix(70, 70, 5),
                         .b = random_matrix(70, sides, 6),
                         .precision = precision});
}

/// Beside others a zero column, a tiny one and a huge one; more columns than are refined at once.
TEST_P(LuRefined, RightHandSidesOfAllSizes) {
    for (const factor_precision precision : precisions())
        for (const storage_order order : orders)
            for (const index_t sides : {3, 64, 70}) {
                dense b = random_matrix(130, sides, 6);
                for (index_t i = 0; i < 130; ++i) {
                    b(i, 0) *= 1e-200;
                    b(i, 1) = 0;
                    b(i, 2) *= 1e200;
                }
                const refined_question q{.what = std::to_string(sides) + " sides",
                                         .a = random_matrix(130, 130, 5),
                                         .b = b,
                                         .how = {.order = order},
                                         .right_how = {.order = orders[order == column_major]},
                                         .x_how = {.order = orders[sides % 2]},
                                         .precision = precision};
                expect_good(q);
                const auto found = answer(q);
                ASSERT_TRUE(found);
                for (index_t i = 0; i < 130; ++i) ASSERT_EQ(found->x(i, 1), 0);
            }
}

TEST_P(LuRefined, TheSameBitsAgain) {
    for (const factor_precision precision : precisions()) {
        const refined_question q{.what = "again",
                                 .a = random_matrix(300, 300, 5),
                                 .b = random_matrix(300, 3, 6),
                                 .precision = precision};
        const auto first = answer(q), second = answer(q);
        ASSERT_TRUE(first && second);
        EXPECT_TRUE(first->bits == second->bits) << name_of(precision);
    }
}

/// From well conditioned to beyond what any lower precision can do.
TEST_P(LuRefined, Conditions) {
    for (const factor_precision precision : precisions())
        for (const double condition : {1e1, 1e3, 1e6, 1e9, 1e13})
            expect_good({.what = "condition " + std::to_string(condition),
                         .a = conditioned_matrix(90, 90, condition, 5),
                         .b = random_matrix(90, 2, 6),
                         .precision = precision});
}

/// Beyond the range of float16 and of float32. On the CPU the lower precision gets there all the same.
TEST_P(LuRefined, Scales) {
    for (const factor_precision precision : precisions())
        for (const int power : {-900, -200, -30, 30, 200, 900}) {
            dense a = random_matrix(60, 60, 5);
            for (double& v : a.values) v = std::ldexp(v, power);
            const refined_question q{.what = "scaled by 2^" + std::to_string(power),
                                     .a = std::move(a),
                                     .b = random_matrix(60, 2, 6),
                                     .precision = precision};
            expect_good(q);
            if (!std::holds_alternative<on_cuda>(where())) {
                EXPECT_FALSE(answer(q)->result.fell_back) << q.what;
            }
        }
}

/// Norms of A, of B and of residuals that f64 cannot hold, and numbers below its normal range.
TEST_P(LuRefined, ScalesOfBothSides) {
    for (const factor_precision precision : precisions())
        for (const int power : {-1040, -1000, -600, 600, 1000, 1023}) {
            const refined_question q{.what = "both sides scaled by 2^" + std::to_string(power),
                                     .a = scaled(random_matrix(60, 60, 5), power),
                                     .b = scaled(random_matrix(60, 2, 6), power),
                                     .how = {.order = orders[power % 3 == 0], .gap = 2},
                                     .precision = precision};
            expect_good(q);
        }
}

/// An answer that is rounded below the normal range, or is infinite, does not look better than it is.
TEST_P(LuRefined, AnswersBeyondTheRange) {
    for (const factor_precision precision : precisions()) {
        refined_question q{.what = "an answer near 2^-1060",
                           .a = scaled(random_matrix(60, 60, 5), 1000),
                           .b = scaled(random_matrix(60, 2, 6), -60),
                           .precision = precision};
        const auto small = answer(q);
        ASSERT_TRUE(small);
        const double error = backward_error(q.a, small->x, q.b);
        EXPECT_GT(error, 1e-9) << trace_of(q, 1);
        EXPECT_LT(error, 1e-2) << trace_of(q, 1);
        EXPECT_NEAR(small->result.backward_error, error, 1e-3 * error) << trace_of(q, 1);
        q.what = "an infinite answer";
        q.a = scaled(random_matrix(60, 60, 5), -1000);
        q.b = scaled(random_matrix(60, 2, 6), 100);
        const auto large = answer(q);
        EXPECT_FALSE(all_finite(large->x)) << trace_of(q, 1);
        EXPECT_FALSE(large->result.backward_error < 1e-3) << trace_of(q, 1);
    }
}

/// b of any size, zero included: x = 0 exactly.
TEST_P(LuRefined, ScalesOfTheRightSide) {
    for (const factor_precision precision : precisions())
        for (const int power : {-900, 900}) {
            dense b = random_matrix(60, 2, 6);
            for (double& v : b.values) v = std::ldexp(v, power);
            refined_question q{.what = "b scaled by 2^" + std::to_string(power),
                               .a = random_matrix(60, 60, 5),
                               .b = std::move(b),
                               .precision = precision};
            expect_good(q);
            q.b = dense(60, 2);
            const auto found = answer(q);
            EXPECT_EQ(largest_magnitude(found->x), 0);
            EXPECT_EQ(found->result.backward_error, 0);
        }
}

TEST_P(LuRefined, Kinds) {
    for (const factor_precision precision : precisions())
        for (const matrix_kind& kind : matrix_kinds()) {
            const std::string_view name = kind.name;
            bool wanted = false;
            for (const char* one : {"heavy diagonal", "diagonal", "upper triangle", "tridiagonal",
                                    "orthogonal", "zero leading pivot", "cyclic permutation", "Wilkinson",
                                    "Kac-Murdock-Szego", "rows badly scaled"})
                wanted = wanted || name == one;
            if (wanted)
                expect_good({.what = kind.name,
                             .a = kind.make(50, 50, scalar::f32, 3),
                             .b = random_matrix(50, 2, 4),
                             .precision = precision});
        }
}

/// A zero pivot is reported; no call waits for ever, and nothing bad looks good.
TEST_P(LuRefined, SingularAndNotFinite) {
    for (const factor_precision precision : precisions()) {
        dense a = random_matrix(40, 40, 5);
        for (index_t i = 0; i < 40; ++i) a(i, 11) = 0;
        refined_question q{.what = "singular", .a = a, .b = random_matrix(40, 1, 6), .precision = precision};
        const auto singular = answer(q);
        ASSERT_TRUE(singular);
        EXPECT_EQ(singular->result.first_zero, 11) << trace_of(q, 1);
        EXPECT_FALSE(all_finite(singular->x)) << trace_of(q, 1);
        EXPECT_FALSE(singular->result.backward_error < 1e-3) << trace_of(q, 1);
        for (const double odd : {std::nan(""), HUGE_VAL}) {
            q.a = random_matrix(40, 40, 5);
            q.a(7, 9) = odd;
            const auto in_a = answer(q);
            EXPECT_FALSE(in_a->result.backward_error < 1e-3) << trace_of(q, 1) << " of " << odd;
            q.a = random_matrix(40, 40, 5);
            q.b(7, 0) = odd;
            const auto in_b = answer(q);
            EXPECT_FALSE(in_b->result.backward_error < 1e-3) << trace_of(q, 1) << " of " << odd;
            q.b = random_matrix(40, 1, 6);
        }
    }
}

/// No iteration allowed: f64 factors, whatever was asked.
TEST_P(LuRefined, NoIterations) {
    for (const factor_precision precision : precisions()) {
        refined_question q{.what = "no iterations",
                           .a = random_matrix(40, 40, 5),
                           .b = random_matrix(40, 1, 6),
                           .precision = precision,
                           .max_iterations = 0};
        const auto found = answer(q);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->result.factored, factor_precision::f64) << trace_of(q, 1);
        EXPECT_LT(backward_error(q.a, found->x, q.b), 40 * epsilon_of(scalar::f64));
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, LuRefined, testing::ValuesIn(rows_of(lu::refined_rows)), test_name);

/// The same with every row of the tuning table.
class LuRefinedTuned : public tuned_lu_test {};

TEST_P(LuRefinedTuned, EveryPrecision) {
    for (const factor_precision precision : all_precisions)
        for (const index_t n : {1, 50, 300, 700}) {
            std::string refusal;
            const refined_question q{
                .what = "", .a = random_matrix(n, n, 5), .b = random_matrix(n, 3, 6), .precision = precision};
            const auto found = ask_refined(where(), GetParam().name, q, &refusal);
            ASSERT_TRUE(found) << refusal;
            EXPECT_LT(backward_error(q.a, found->x, q.b), (4 + std::sqrt(n)) * epsilon_of(scalar::f64))
                << n << ", " << found->result.outcome;
        }
}

std::vector<tuned_lu_row> tuned_refinements() {
    return tuned_lu_rows(rows_of(lu::refined_rows),
                         {{.row = "cuda/iterative",
                           .table = "lu/refined/iterative",
                           .f32 = {},
                           .f64 = numbers_below(std::size(lu::refinement::policies))}});
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LuRefinedTuned);  // there may be no plugin
INSTANTIATE_TEST_SUITE_P(Tuned, LuRefinedTuned, testing::ValuesIn(tuned_refinements()), tuned_name);

}  // namespace
}  // namespace wale::agreement
