// lu_trouble_test - every row of lu_factor on what has no good factorisation: divergence, NaN and Inf, pivots
// that are moved.
#include <algorithm>
#include <bit>

#include "agreement/lu_factor_rows.hpp"

namespace wale::agreement {
namespace {

using enum pivoting;

constexpr scalar types[] = {scalar::f32, scalar::f64};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// The NaN that stands for "not there yet" between thread blocks, in f32 too.
const double all_bits = std::bit_cast<double>(~std::uint64_t{0});
constexpr double infinity = std::numeric_limits<double>::infinity();

class LuTrouble : public LuFactor {};

TEST_P(LuTrouble, DivergenceWithoutPivoting) {
    const auto outcome = [](dense a, scalar type, bool growth) -> std::optional<lu_result> {
        const auto found = answer({.what = "divergence",
                                   .all = {std::move(a)},
                                   .how = {.type = type},
                                   .options = {.pivoting = none, .growth = growth},
                                   .grows = true});
        return found ? std::optional(found->result) : std::nullopt;
    };
    for (const scalar type : types) {
        dense a = random_matrix(40, 40, 4);
        a(0, 0) = type == scalar::f32 ? 1e-7 : 1e-14;
        const auto tiny = outcome(a, type, true);
        ASSERT_TRUE(tiny);
        EXPECT_TRUE(tiny->diverged);
        EXPECT_GT(tiny->growth, 1 / std::sqrt(epsilon_of(type)));
        EXPECT_FALSE(outcome(dominant_matrix(40, 40, 4), type, true)->diverged);
        a(0, 0) = nan;
        EXPECT_TRUE(outcome(a, type, false)->diverged);
        EXPECT_TRUE(outcome(a, type, true)->diverged);
        // A zero pivot is no divergence: the column stays as it is, and the factorisation goes on.
        const dense exchange = dense_of(2, 2, [](index_t i, index_t j) { return i == j ? 0.0 : 1.0; });
        const auto singular = outcome(exchange, type, false);
        EXPECT_EQ(singular->singular, 1);
        EXPECT_EQ(singular->first_singular, 0);
        EXPECT_EQ(singular->first_zero, 0);
    }
}

/// No call waits for ever, crashes or takes rows that do not exist; the outcome reports what was not finite.
TEST_P(LuTrouble, NotANumberAndInfinity) {
    for (const scalar type : types)
        for (const double odd : {nan, all_bits, infinity, -infinity})
            for (const pivoting p : pivotings())
                for (const auto& [m, n] : {std::pair<index_t, index_t>{1, 1},
                                           {3, 3},
                                           {40, 40},
                                           {100, 100},
                                           {129, 129},
                                           {70, 30},
                                           {30, 70}})
                    for (const int where_is : {0, 1, 2, 3}) {
                        dense a = dominant_matrix(m, n, 9);
                        const index_t i = where_is == 1 ? m - 1 : where_is == 2 ? m / 2 : 0;
                        const index_t j = where_is == 1 ? n - 1 : where_is == 3 ? n - 1 : i % n;
                        a(i, j) = odd;
                        const factor_question q{
                            .what = "odd at " + std::to_string(i) + ", " + std::to_string(j),
                            .all = {a},
                            .how = {.type = type},
                            .options = {.pivoting = p}};
                        const auto found = answer(q);
                        ASSERT_TRUE(found);
                        EXPECT_EQ(factor_flaw(q, *found), "") << trace_of(q, 1);
                        EXPECT_FALSE(all_finite(found->factors[0]));
                        if (m == n) {
                            EXPECT_EQ(found->result.not_finite, 1) << trace_of(q, 1) << ", n = " << n;
                        }
                    }
    dense all(40, 40, nan);
    const factor_question q{.what = "all NaN", .all = {all}, .how = {}, .options = {.pivoting = usual()}};
    const auto found = answer(q);
    ASSERT_TRUE(found);
    EXPECT_EQ(factor_flaw(q, *found), "");
}

/// One bad matrix of a batch leaves the others alone.
TEST_P(LuTrouble, ABadMatrixStaysAlone) {
    for (const index_t n : {8, 32, 65, 120, 258}) {
        std::vector<dense> all;
        for (unsigned k = 0; k < 9; ++k) all.push_back(dominant_matrix(n, n, k));
        factor_question q{.what = "alone", .all = all, .how = {}, .options = {.pivoting = usual()}};
        const auto good = answer(q);
        ASSERT_TRUE(good);
        q.all[3] = dense(n, n, nan);
        q.all[5] = dense(n, n);
        const auto found = answer(q);
        EXPECT_EQ(factor_flaw(q, *found), "");
        EXPECT_EQ(found->result.singular, 1);
        EXPECT_EQ(found->result.first_singular, 5);
        EXPECT_EQ(found->result.not_finite, 1);
        for (std::size_t k = 0; k < all.size(); ++k)
            if (k != 3 && k != 5) {
                EXPECT_TRUE(good->factors[k].values == found->factors[k].values) << k;
            }
    }
}

/// Pivots that are known, some of them too small: they move to the limit, keep their sign and are counted.
TEST_P(LuTrouble, SmallPivotsAreMoved) {
    for (const scalar type : types)
        for (const index_t n : {1, 9, 40, 100}) {
            const double perturbation = std::ldexp(1.0, -10);
            std::vector<dense> all, expected;
            index_t count = 0;
            for (unsigned k = 0; k < 3; ++k) {
                dense u = dense_of(n, n, [&](index_t i, index_t j) {
                    return i == j ? 1.0 : i < j ? 0.25 : 0;
                });
                u(0, n - 1) = std::ldexp(1.0, static_cast<int>(k));  // max|A|
                const double limit = perturbation * largest_magnitude(u);
                dense moved = u;
                for (index_t i = static_cast<index_t>(k) % n; i + 1 < n; i += 7) {
                    const double small = i % 3 == 0 ? 0 : i % 3 == 1 ? -limit / 2 : limit / 4;
                    u(i, i) = small;
                    moved(i, i) = small < 0 ? -limit : limit;
                    ++count;
                }
                all.push_back(u);
                expected.push_back(moved);
            }
            const factor_question q{.what = "moved",
                                    .all = all,
                                    .how = {.type = type},
                                    .options = {.pivoting = none, .perturbation = perturbation}};
            const auto found = answer(q);
            ASSERT_TRUE(found);
            EXPECT_EQ(found->result.perturbed, count) << trace_of(q, 1) << ", n = " << n;
            EXPECT_EQ(found->result.singular, 0);
            for (std::size_t k = 0; k < all.size(); ++k)
                EXPECT_TRUE(found->factors[k].values == expected[k].values)
                    << trace_of(q, 1) << ", n = " << n;
        }
}

/// Rows that invert triangles: what they subtract is rounded at the size of the inverse, which the
/// multipliers below a moved pivot set. It stays below what moving the pivot changed where that was by
/// sqrt(eps).
bool multiplies_by_inverses(const std::string& variant) {
    return variant == "cuda/tile_dag" || variant == "cuda/lookahead";
}
double largest_multiplier(const dense& factors) {
    double most = 1;
    for (index_t j = 0; j < factors.columns; ++j)
        for (index_t i = j + 1; i < factors.rows; ++i) most = std::max(most, std::fabs(factors(i, j)));
    return most;
}

/// In the middle of an elimination: what is factored is A with some diagonal elements moved.
TEST_P(LuTrouble, MovedPivotsFactorANeighbour) {
    for (const scalar type : types)
        for (const index_t n : {20, 64, 130}) {
            dense a = dominant_matrix(n, n, 12);
            for (index_t j = 0; j < n; ++j) a(n / 2, j) = a(n / 2 - 1, j);  // pivot n / 2 is rounding, or 0
            const double perturbation = type == scalar::f32 ? 1e-3 : 1e-8;
            const factor_question q{.what = "neighbour",
                                    .all = {a},
                                    .how = {.type = type},
                                    .options = {.pivoting = none, .perturbation = perturbation},
                                    .grows = true};
            const auto found = answer(q);
            ASSERT_TRUE(found);
            EXPECT_EQ(found->result.perturbed, 1) << trace_of(q, 1) << ", n = " << n;
            dense neighbour = found->originals[0];
            neighbour(n / 2, n / 2) +=
                std::copysign(perturbation * largest_magnitude(neighbour), found->factors[0](n / 2, n / 2));
            double limit = good_ratio * growth_of(neighbour, found->factors[0]);
            if (multiplies_by_inverses(GetParam().name)) limit *= largest_multiplier(found->factors[0]);
            EXPECT_LT(factor_ratio(neighbour, found->factors[0], identity_pivots(n), type), limit)
                << trace_of(q, 1) << ", n = " << n;
        }
}

INSTANTIATE_TEST_SUITE_P(Variants, LuTrouble, testing::ValuesIn(rows_of(lu::factor_rows)), test_name);

}  // namespace
}  // namespace wale::agreement
