// lu_outcome_test - what every row of lu_factor reports of a factorisation, against definitions and closed
// forms: scaling, growth, condition, determinants, repeatability.
#include <algorithm>

#include "agreement/lu_factor_rows.hpp"

namespace wale::agreement {
namespace {

using enum pivoting;

constexpr scalar types[] = {scalar::f32, scalar::f64};
constexpr double infinity = std::numeric_limits<double>::infinity();

class LuOutcome : public LuFactor {};
class LuPivotsOutcome : public LuPivots {};

/// No threshold in the code is absolute: LU(2^k A) = (L, 2^k U), bit for bit.
TEST_P(LuOutcome, ScalesWithPowersOfTwo) {
    for (const scalar type : types)
        for (const pivoting p : pivotings())
            for (const index_t n : {1, 17, 33, 64, 130})
                for (const int power : {-60, 5, 60}) {
                    const dense a = p == none ? dominant_matrix(n, n, 3) : random_matrix(n, n, 3);
                    dense scaled = a;
                    for (double& v : scaled.values) v = std::ldexp(v, power);
                    factor_question q{
                        .what = "", .all = {a}, .how = {.type = type}, .options = {.pivoting = p}};
                    const auto plain = answer(q);
                    ASSERT_TRUE(plain);
                    q.all = {scaled};
                    const auto found = answer(q);
                    EXPECT_EQ(found->pivots, plain->pivots);
                    dense expected = plain->factors[0];
                    for (index_t i = 0; i < n; ++i)
                        for (index_t j = i; j < n; ++j) expected(i, j) = std::ldexp(expected(i, j), power);
                    EXPECT_TRUE(found->factors[0].values == expected.values)
                        << trace_of(q, 1) << ", n = " << n << ", 2^" << power;
                }
}

TEST_P(LuOutcome, TheSameBitsAgain) {
    for (const scalar type : types)
        for (const index_t n : {60, 200, 300}) {
            const factor_question q{.what = "again",
                                    .all = {usual_matrix(n, n, 8)},
                                    .how = {.type = type},
                                    .options = {.pivoting = usual()}};
            for (const int threads : thread_counts()) {
                const auto first = answer(q, threads), second = answer(q, threads);
                ASSERT_TRUE(first && second);
                EXPECT_TRUE(first->bits == second->bits) << trace_of(q, threads);
                EXPECT_EQ(first->pivots, second->pivots);
            }
        }
}

/// The factors, the determinant: O(n^2) numbers, each known.
TEST_P(LuOutcome, KacMurdockSzegoInClosedForm) {
    struct known {
        scalar type;
        index_t n;
        double rho;
    };
    const double slow = std::exp(-0.001);  // Rodinia's
    for (const auto& [type, n, rho] : {known{scalar::f64, 1, slow},
                                       {scalar::f64, 64, slow},
                                       {scalar::f64, 300, slow},
                                       {scalar::f64, 128, 0.5},
                                       {scalar::f32, 100, 0.5},
                                       {scalar::f32, 257, 0.25}})
        for (const pivoting p : pivotings()) {
            const factor_question q{.what = "KMS",
                                    .all = {kms_matrix(n, 10, rho)},
                                    .how = {.type = type},
                                    .options = {.pivoting = p}};
            const auto found = answer(q);
            ASSERT_TRUE(found);
            // Every element of A is rounded; the Schur complement is 1 - rho^2 of it.
            const double tolerance = 4 * static_cast<double>(n) * epsilon_of(type) / ((1 - rho) * (1 + rho));
            const dense lower = kms_lower(n, rho), upper = kms_upper(n, 10, rho);
            EXPECT_EQ(found->pivots[0], identity_pivots(n));
            double off = 0;
            for (index_t i = 0; i < n; ++i)
                for (index_t j = 0; j < n; ++j) {
                    const double expected = i > j ? lower(i, j) : upper(i, j);
                    off = std::max(
                        off, std::fabs(found->factors[0](i, j) - expected) / (i > j ? 1.0 : upper(i, i)));
                }
            EXPECT_LT(off, tolerance) << trace_of(q, 1) << ", n = " << n;
            const double size = static_cast<double>(n),
                         log = size * std::log(10.0) + (size - 1) * std::log((1 - rho) * (1 + rho));
            EXPECT_EQ(found->sign[0], 1);
            EXPECT_NEAR(found->log_magnitude[0], log, size * tolerance);
        }
}

TEST_P(LuPivotsOutcome, LargestGrowthIsReported) {
    for (const scalar type : types)
        for (const index_t n : {1, 2, 5, 16, 24}) {
            factor_question q{.what = "gfpp",
                              .all = {growing_matrix(n)},
                              .how = {.type = type},
                              .options = {.pivoting = partial, .growth = true}};
            const auto found = answer(q);
            ASSERT_TRUE(found);
            EXPECT_EQ(found->result.growth, std::ldexp(1.0, static_cast<int>(n) - 1)) << trace_of(q, 1);
            EXPECT_FALSE(found->result.diverged);
        }
}

TEST_P(LuOutcome, GrowthIsReported) {
    for (const pivoting p : pivotings()) {
        std::vector<dense> all{dominant_matrix(30, 20, 1), dominant_matrix(30, 20, 2), dense(30, 20)};
        factor_question q{
            .what = "growth of three", .all = all, .how = {}, .options = {.pivoting = p, .growth = true}};
        const auto found = answer(q);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->result.growth,
                  std::max(growth_of(all[0], found->factors[0]), growth_of(all[1], found->factors[1])));
    }
}

/// The true 1-norm of the inverse, by Gauss and Jordan in long double.
double true_condition(const dense& a) {
    const index_t n = a.rows;
    std::vector<long double> w(static_cast<std::size_t>(2 * n * n));
    const auto at = [&](index_t i, index_t j) -> long double& {
        return w[static_cast<std::size_t>(i * 2 * n + j)];
    };
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < n; ++j) at(i, j) = a(i, j);
        at(i, n + i) = 1;
    }
    for (index_t k = 0; k < n; ++k) {
        index_t p = k;
        for (index_t i = k; i < n; ++i)
            if (std::fabs(at(i, k)) > std::fabs(at(p, k))) p = i;
        for (index_t j = 0; j < 2 * n; ++j) std::swap(at(k, j), at(p, j));
        for (index_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const long double l = at(i, k) / at(k, k);
            for (index_t j = k; j < 2 * n; ++j) at(i, j) -= l * at(k, j);
        }
        for (index_t j = 2 * n; j-- > k;) at(k, j) /= at(k, k);
    }
    const dense inverse =
        dense_of(n, n, [&](index_t i, index_t j) { return static_cast<double>(at(i, n + j)); });
    return 1 / (one_norm(a) * one_norm(inverse));
}

TEST_P(LuPivotsOutcome, ConditionIsEstimated) {
    const std::pair<const char*, dense> all[] = {{"random", random_matrix(40, 40, 5)},
                                                 {"well", conditioned_matrix(30, 30, 2, 5)},
                                                 {"badly", conditioned_matrix(35, 35, 1e8, 5)},
                                                 {"Hilbert", hilbert_matrix(7, 7)},
                                                 {"KMS", kms_matrix(50, 10, 0.99)},
                                                 {"one", dense(1, 1, 4)}};
    for (const auto& [name, a] : all) {
        const factor_question q{
            .what = name, .all = {a}, .how = {}, .options = {.pivoting = partial, .condition = true}};
        const auto found = answer(q);
        ASSERT_TRUE(found);
        const double truth = true_condition(a), estimate = found->result.reciprocal_condition;
        EXPECT_GE(estimate, truth * 0.99) << name;
        EXPECT_LE(estimate, truth * 3) << name;
        const double lapack = lapack_condition(a);
        EXPECT_GE(estimate, lapack / 3) << name;
        EXPECT_LE(estimate, lapack * 3) << name;
    }
    const auto condition_of = [](const factor_question& q) {
        const auto found = answer(q);
        return found ? found->result.reciprocal_condition : -1;
    };
    dense singular = random_matrix(12, 12, 1);
    for (index_t i = 0; i < 12; ++i) singular(i, 4) = 0;
    factor_question q{.what = "singular",
                      .all = {singular},
                      .how = {.type = scalar::f32},
                      .options = {.pivoting = partial, .condition = true}};
    EXPECT_EQ(condition_of(q), 0);
    q.all = {dense(0, 0)};
    EXPECT_EQ(condition_of(q), 1);
    // The inverse is beyond the range of its type: no estimate is, and 2^-160 is not small for a float64.
    dense steep(40, 40);
    for (index_t i = 0; i < 40; ++i)
        for (index_t j = i; j < 40; ++j) steep(i, j) = i == j ? 1 : -15;
    for (const scalar type : types) {
        q.how.type = type;
        q.all = {steep};
        if (is_single(type))
            EXPECT_EQ(condition_of(q), 0);
        else
            EXPECT_NEAR(std::log2(condition_of(q)), -166, 4);
    }
    q.how.type = scalar::f32;
    q.all = {hilbert_matrix(3, 3)};
    q.all[0](1, 2) = INFINITY;
    EXPECT_TRUE(std::isnan(condition_of(q)));
    // The smallest of a batch.
    q.all = {conditioned_matrix(20, 20, 3, 1), conditioned_matrix(20, 20, 1e4, 2)};
    EXPECT_LT(condition_of(q), 3e-4);
}

/// Near both ends of the range norms would overflow, and solutions of the estimate in either direction.
TEST_P(LuOutcome, NormsKeepTheirRange) {
    for (const scalar type : types) {
        const bool f32 = type == scalar::f32;
        const index_t n = 150;
        factor_question q{.what = "norms",
                          .all = {usual_matrix(n, n, 5)},
                          .how = {.type = type},
                          .options = {.pivoting = usual(), .condition = true}};
        if (usual() != none)  // columns of one sign: their sums are large, and U hardly larger than A
            for (double& v : q.all[0].values) v = 0.75 + v / 4;
        const auto near = answer(q);
        const dense unscaled = q.all[0];
        const int top =
            (f32 ? 121 : 1017) - std::ilogb(largest_magnitude(unscaled));  // U is up to 2^4 times as large
        for (const int power : {top, f32 ? -70 : -900}) {
            for (std::size_t i = 0; i < unscaled.values.size(); ++i)
                q.all[0].values[i] = std::ldexp(unscaled.values[i], power);
            const auto found = answer(q);
            const double condition = found->result.reciprocal_condition;
            EXPECT_NEAR(condition / near->result.reciprocal_condition, 1, 1e-5) << trace_of(q, 1) << power;
            EXPECT_NEAR(found->ratio / near->ratio, 1, 1e-5) << trace_of(q, 1) << power;
            // And what is wrong does not look right.
            stored_matrices originals(where(), q.all, q.how);
            dense wrong = found->factors[0];
            wrong(n - 1, n - 1) *= 1.5;
            wrong(3, n - 1) += 0.01 * wrong(3, 3);
            stored_matrices factors(where(), {wrong}, q.how);
            const stored_array<std::int32_t> pivots(where(), found->pivots[0]);
            EXPECT_GT(lu_residual_ratio(where(), originals.uniform(), factors.uniform(), pivots.data()), 30)
                << trace_of(q, 1) << power;
        }
    }
}

/// From factors by any row, by the functions that compute nothing else.
TEST_P(LuOutcome, DeterminantFromFactors) {
    for (const scalar type : types) {
        std::vector<dense> all;
        for (unsigned k = 0; k < 5; ++k) all.push_back(usual_matrix(37, 37, k));
        all[2] = dense(37, 37);
        const factor_question q{.what = "determinants",
                                .all = all,
                                .how = {.type = type, .gap = 2},
                                .options = {.pivoting = usual()}};
        const auto found = answer(q);
        ASSERT_TRUE(found);
        stored_matrices factors(where(), found->factors, q.how);
        std::vector<std::int32_t> every;
        for (const auto& p : found->pivots) every.insert(every.end(), p.begin(), p.end());
        const stored_array<std::int32_t> pivots(where(), every);
        const stored_array<double> signs(where(), 5, -7), logs(where(), 5, -7);
        lu_determinant(where(), factors.uniform(), pivots.data(), signs.data(), logs.data());
        EXPECT_EQ(signs.get(), found->sign);
        for (std::size_t k = 0; k < all.size(); ++k) {
            const double log = logs.get()[k], expected = found->log_magnitude[k];
            EXPECT_TRUE(log == expected || std::fabs(log - expected) < 1e-10) << log << " " << expected;
        }
        EXPECT_EQ(signs.get()[2], 0);
        EXPECT_EQ(logs.get()[2], -infinity);
        const lu_determinant_result one = lu_determinant(where(), factors.list()[0], pivots.data());
        EXPECT_EQ(one.sign, signs.get()[0]);
        EXPECT_EQ(one.log_magnitude, logs.get()[0]);
    }
    matrices nothing(nullptr, matrix_shape{});
    const lu_determinant_result empty = lu_determinant(where(), nothing, nullptr);
    EXPECT_EQ(empty.sign, 1);
    EXPECT_EQ(empty.log_magnitude, 0);
}

/// Kernels for calls that ask for no more than pivots leave the same bits as those for all outputs.
TEST_P(LuOutcome, PivotsAlone) {
    if (!on_device()) GTEST_SKIP() << "host rows have one way";
    for (const scalar type : types)
        for (const storage_order order : {storage_order::column_major, storage_order::row_major})
            for (const pivoting p : pivotings())
                for (const index_t n : {1, 2, 3, 4, 5, 20})
                    for (const index_t count : {1, 130}) {
                        std::vector<dense> all;
                        for (index_t k = 0; k < count; ++k) {
                            const auto seed = static_cast<unsigned>(n * 1000 + k);
                            all.push_back(p == none ? dominant_matrix(n, n, seed)
                                                    : random_matrix(n, n, seed));
                        }
                        if (count > 3) all[3] = dense(n, n);
                        const factor_question q{.what = "pivots alone",
                                                .all = all,
                                                .how = {.type = type, .order = order},
                                                .options = {.pivoting = p}};
                        const auto full = answer(q);
                        ASSERT_TRUE(full);
                        stored_matrices a(where(), all, q.how);
                        const stored_array<std::int32_t> pivots(where(), n * count, -7);
                        const lu_result found = lu_factor(where(), a.uniform(), pivots.data(),
                                                          {.variant = GetParam().name, .pivoting = p});
                        EXPECT_TRUE(a.bits() == full->bits) << trace_of(q, 1) << ", " << count << " of " << n;
                        std::vector<std::int32_t> every;
                        for (const auto& of_one : full->pivots)
                            every.insert(every.end(), of_one.begin(), of_one.end());
                        EXPECT_EQ(pivots.get(), every);
                        EXPECT_EQ(found.singular, full->result.singular);
                        EXPECT_EQ(found.first_singular, full->result.first_singular);
                        EXPECT_EQ(found.permutation_sign, full->result.permutation_sign);
                    }
}

/// The answer is complete once something else on the stream is; no outcome, and the arrays all the same.
TEST_P(LuOutcome, Asynchronous) {
    if (!on_device()) GTEST_SKIP() << "host rows return when they are done";
    for (const index_t n : {20, 200}) {
        factor_question q{
            .what = "queued", .all = {usual_matrix(n, n, 6)}, .how = {}, .options = {.pivoting = usual()}};
        const auto plain = answer(q);
        q.options.asynchronous = true;
        const auto found = answer(q);
        ASSERT_TRUE(plain && found);
        EXPECT_TRUE(plain->bits == found->bits);
        EXPECT_EQ(plain->pivots, found->pivots);
        EXPECT_EQ(plain->permutations, found->permutations);
        EXPECT_EQ(plain->first_zero, found->first_zero);
        EXPECT_EQ(plain->log_magnitude, found->log_magnitude);
    }
}

TEST_P(LuOutcome, TheReportSaysWhatRan) {
    const auto found = answer(
        {.what = "report", .all = {usual_matrix(60, 60, 2)}, .how = {}, .options = {.pivoting = usual()}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->result.run.variant, GetParam().name);
    EXPECT_NEAR(found->result.run.work, 2.0 / 3 * 60 * 60 * 60, 60 * 60);
    EXPECT_EQ(found->result.run.bytes, 2 * 8 * 60 * 60);
    EXPECT_GE(found->result.run.compute_seconds, 0);
    EXPECT_GE(found->result.run.threads, 1);
}

INSTANTIATE_TEST_SUITE_P(Variants, LuOutcome, testing::ValuesIn(rows_of(lu::factor_rows)), test_name);
INSTANTIATE_TEST_SUITE_P(Variants, LuPivotsOutcome, testing::ValuesIn(LuPivots::rows()), test_name);

}  // namespace
}  // namespace wale::agreement
