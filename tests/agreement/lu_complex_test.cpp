// lu_complex_test - complex64 and complex128 in every row of lu: those that take complex numbers against
// LAPACK's pivots and ratios, the others by their refusal. All through the public interface.
#include <cmath>
#include <complex>

#include "agreement/complex_matrices.hpp"
#include "solvers/lu/jobs.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

/// The rows that take complex numbers.
bool takes_complex(const std::string& row) {
    const std::string rows[] = {"reference/plain", "cpu/small",    "cpu/recursive",
                                "cuda/panels",     "cuda/columns", "cuda/sync_free"};
    return std::find(std::begin(rows), std::end(rows), row) != std::end(rows);
}

/// The rows that factor complex matrices by this pivoting.
bool factors_complex(const std::string& row, pivoting by) {
    if (by == pivoting::none) return takes_complex(row) || row == "cuda/tile_dag" || row == "cuda/lookahead";
    return takes_complex(row) || row == "cuda/resident";
}
bool is_small(const std::string& row, index_t n) {
    return row == "cuda/batched" && n <= 32;
}

class LuComplex : public row_test {
protected:
    /// f(T{}) for both types.
    template <class F>
    static void both(F&& f) {
        f(std::complex<float>{});
        f(std::complex<double>{});
    }
    static lu_options factor_by(const std::string& row) {
        lu_options o;
        o.variant = row;
        if (GetParam().operation != "factor") o.variant = "automatic";
        return o;
    }
};
class LuComplexFactor : public LuComplex {};
class LuComplexSolve : public LuComplex {};
class LuComplexInverse : public LuComplex {};

constexpr extents<2> shapes[] = {{{0, 0}},    {{0, 3}},    {{1, 1}},     {{2, 2}},     {{3, 5}},
                                 {{5, 3}},    {{7, 7}},    {{8, 8}},     {{9, 9}},     {{16, 16}},
                                 {{17, 17}},  {{31, 32}},  {{33, 31}},   {{64, 64}},   {{65, 65}},
                                 {{100, 70}}, {{70, 100}}, {{129, 129}}, {{200, 200}}, {{300, 257}}};

TEST_P(LuComplexFactor, EverySizeHasLapacksPivotsAndRatio) {
    if (!factors_complex(GetParam().name, pivoting::partial)) GTEST_SKIP() << "real numbers only";
    both([&]<class T>(T) {
        for (const extents<2>& shape : shapes)
            for (const storage_order order : {row_major, column_major})
                for (const index_t count : {1, 5, 19}) {
                    if (count > 1 && shape[0] > 65) continue;  // 8 and more small ones share vectors
                    complex_matrices<T> a(shape[0], shape[1], count, order, shape[1] % 3);
                    a.random(static_cast<unsigned>(7 * shape[0] + shape[1]));
                    for (const int threads : thread_counts()) {
                        complex_matrices<T> lu = a;
                        there<T> on(where(threads), lu), original(where(threads), a);
                        const index_t each = a.shape.diagonal();
                        const stored_array<std::int32_t> pivots(where(threads), each * count, -1);
                        const lu_result r =
                            lu_factor(where(threads), on.view(), pivots.data(), factor_by(GetParam().name));
                        on.fetch();
                        const auto found = pivots.get();
                        SCOPED_TRACE(testing::Message() << shape[0] << " x " << shape[1] << " of "
                                                        << sizeof(T) << " bytes, " << count);
                        EXPECT_EQ(r.singular, 0);
                        for (index_t k = 0; k < count; ++k) {
                            const auto wanted = lapack_pivots(a, k);
                            EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), found.begin() + k * each));
                            EXPECT_LT(plain_ratio(a, lu, k, found.data() + k * each), good_ratio);
                        }
                        EXPECT_LT(
                            lu_residual_ratio(where(threads), original.view(), on.view(), pivots.data()),
                            good_ratio);
                        if (HasFailure()) return;
                    }
                }
    });
}

TEST_P(LuComplexFactor, WithoutPivots) {
    if (!factors_complex(GetParam().name, pivoting::none)) GTEST_SKIP() << "real numbers only";
    both([&]<class T>(T) {
        for (const extents<2>& shape : shapes)
            for (const storage_order order : {row_major, column_major})
                for (const index_t count : {1, 3}) {
                    complex_matrices<T> a(shape[0], shape[1], count, order, shape[1] % 3);
                    a.random(static_cast<unsigned>(11 * shape[0] + shape[1]));
                    const index_t each = a.shape.diagonal();
                    std::vector<std::int32_t> rows(static_cast<std::size_t>(each));
                    for (index_t k = 0; k < each; ++k) {
                        rows[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(k);
                        for (index_t i = 0; i < count; ++i)
                            a.at(i, k, k) += T(static_cast<float>(shape[0] + shape[1]));
                    }
                    complex_matrices<T> lu = a;
                    there<T> on(where(), lu);
                    lu_options o = factor_by(GetParam().name);
                    o.pivoting = pivoting::none;
                    EXPECT_EQ(lu_factor(where(), on.view(), nullptr, o).singular, 0);
                    on.fetch();
                    for (index_t k = 0; k < count; ++k)
                        ASSERT_LT(plain_ratio(a, lu, k, rows.data()), good_ratio)
                            << shape[0] << " x " << shape[1] << " of " << sizeof(T) << " bytes";
                }
    });
}

TEST_P(LuComplexFactor, AnswersWhatTheFactorsSay) {
    if (!factors_complex(GetParam().name, pivoting::partial)) GTEST_SKIP() << "real numbers only";
    both([&]<class T>(T) {
        // Row 1 is i times row 0: the second pivot is exactly 0.
        complex_matrices<T> a(3, 3, 2, column_major);
        a.random(3);
        for (index_t j = 0; j < 3; ++j) {
            a.at(1, 0, j) = T(static_cast<float>(j + 1), 1);
            a.at(1, 1, j) = T(0, 1) * a.at(1, 0, j);
            a.at(1, 2, j) = T(0);
        }
        complex_matrices<T> lu = a;
        there<T> on(where(), lu);
        const stored_array<std::int32_t> pivots(where(), 6, -1), zero(where(), 2, -7), order(where(), 6, -1);
        const stored_array<double> sign(where(), 4, -7.0), log(where(), 2, -7.0);
        const lu_result r = lu_factor(where(), on.view(),
                                      lu_outputs{.pivots = pivots.data(),
                                                 .permutation = order.data(),
                                                 .first_zero = zero.data(),
                                                 .sign = sign.data(),
                                                 .log_magnitude = log.data()},
                                      factor_by(GetParam().name));
        EXPECT_EQ(r.singular, 1);
        EXPECT_EQ(r.first_singular, 1);
        EXPECT_EQ(r.first_zero, 1);
        EXPECT_EQ(zero.get()[0], -1);
        EXPECT_EQ(zero.get()[1], 1);
        const auto e = [&](index_t i, index_t j) { return wide(a.at(0, i, j)); };
        const wide det = e(0, 0) * (e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1)) -
                         e(0, 1) * (e(1, 0) * e(2, 2) - e(1, 2) * e(2, 0)) +
                         e(0, 2) * (e(1, 0) * e(2, 1) - e(1, 1) * e(2, 0));
        const wide found = wide(sign.get()[0], sign.get()[1]) * std::exp(log.get()[0]);
        const double eps = std::numeric_limits<typename T::value_type>::epsilon();
        EXPECT_LT(std::abs(found - det), 100 * eps * std::max(1.0, std::abs(det)));
        EXPECT_EQ(sign.get()[2], 0);
        EXPECT_EQ(sign.get()[3], 0);
        EXPECT_EQ(log.get()[1], -HUGE_VAL);
    });
}

TEST_P(LuComplexFactor, CountsWhatIsNotFinite) {
    if (!factors_complex(GetParam().name, pivoting::partial)) GTEST_SKIP() << "real numbers only";
    both([&]<class T>(T) {
        complex_matrices<T> a(20, 20, 2, row_major);
        a.random(5);
        a.at(1, 3, 4) = T(1, NAN);
        there<T> on(where(), a);
        const stored_array<std::int32_t> pivots(where(), 40, -1);
        const lu_result r = lu_factor(where(), on.view(), pivots.data(), factor_by(GetParam().name));
        EXPECT_EQ(r.not_finite, 1);
        for (const std::int32_t p : pivots.get()) {
            EXPECT_GE(p, 0);
            EXPECT_LT(p, 20);
        }
    });
}

/// Neither a wrong answer nor another row's.
TEST_P(LuComplexFactor, OthersRefuseByTheSameReason) {
    for (const pivoting by : {pivoting::none, pivoting::partial})
        if (factors_complex(GetParam().name, by)) GTEST_SKIP() << "takes complex numbers";
    complex_matrices<wide> a(4, 4, 1, row_major);
    there<wide> on(where(), a.random(1));
    const stored_array<std::int32_t> pivots(where(), 4, -1);
    lu_options o{.variant = GetParam().name};
    EXPECT_EQ(thrown<unsupported_variant>([&] { (void)lu_factor(where(), on.view(), pivots.data(), o); }),
              GetParam().name + ": computes real numbers only, not complex ones");
}

TEST_P(LuComplexSolve, EverySizeTransposedAndConjugated) {
    both([&]<class T>(T) {
        for (const index_t n : {0, 1, 2, 3, 7, 8, 9, 16, 17, 25, 33, 64, 65, 130, 201})
            for (const index_t columns : {1, 2, 5, 8, 9})
                for (const int way : {0, 1, 2, 3}) {
                    const bool transposed = (way & 1) != 0, conjugated = (way & 2) != 0;
                    const storage_order order = (n + columns + way) % 2 == 0 ? row_major : column_major;
                    const index_t count = n <= 24 ? 11 : 3;  // 8 and more small ones share vectors
                    complex_matrices<T> a(n, n, count, order, 1),
                        b(n, columns, count, columns % 2 == 0 ? row_major : column_major, 2);
                    a.random(static_cast<unsigned>(n));
                    b.random(static_cast<unsigned>(columns));
                    complex_matrices<T> lu = a, x = b;
                    there<T> factors(where(), lu), right(where(), x);
                    const stored_array<std::int32_t> pivots(where(), count * n, -1);
                    const lu_solve_options o{
                        .variant = GetParam().name, .transposed = transposed, .conjugated = conjugated};
                    (void)lu_factor(where(), factors.view(), pivots.data());
                    if (!takes_complex(GetParam().name) && !is_small(GetParam().name, n)) {
                        EXPECT_THROW((void)lu_solve(where(), factors.view(), pivots.data(), right.view(), o),
                                     unsupported_variant);
                        return;
                    }
                    (void)lu_solve(where(), factors.view(), pivots.data(), right.view(), o);
                    right.fetch();
                    for (index_t k = 0; k < count; ++k)
                        ASSERT_LT(plain_solve_ratio(a, x, b, k, transposed, conjugated), good_ratio)
                            << n << ", " << columns << " columns, way " << way << ", " << sizeof(T)
                            << " bytes";
                }
    });
}

TEST_P(LuComplexInverse, EverySize) {
    both([&]<class T>(T) {
        for (const index_t n : {0, 1, 2, 3, 8, 9, 17, 33, 65, 130}) {
            const index_t count = n <= 24 ? 11 : 2;  // 8 and more small ones share vectors
            complex_matrices<T> a(n, n, count, n % 2 == 0 ? row_major : column_major, 1);
            a.random(static_cast<unsigned>(n));
            complex_matrices<T> x = a;
            there<T> on(where(), x);
            const stored_array<std::int32_t> pivots(where(), count * n, -1);
            (void)lu_factor(where(), on.view(), pivots.data());
            const lu_solve_options o{.variant = GetParam().name};
            const bool blocked = GetParam().name == "cuda/blocked";  // of solve it takes real numbers only
            if (!takes_complex(GetParam().name) && !blocked && !is_small(GetParam().name, n)) {
                EXPECT_THROW((void)lu_inverse(where(), on.view(), pivots.data(), o), unsupported_variant);
                return;
            }
            (void)lu_inverse(where(), on.view(), pivots.data(), o);
            on.fetch();
            complex_matrices<T> unit(n, n, count, row_major);
            unit.fill([](index_t, index_t i, index_t j) { return i == j ? T(1) : T(0); });
            // A X = 1 has LAPACK's ratio of a right inverse.
            for (index_t k = 0; k < count; ++k)
                ASSERT_LT(plain_solve_ratio(a, x, unit, k, false, false), good_ratio) << n;
        }
    });
}

TEST(LuComplex, ConditionGrowthAndDeterminantOfKnownMatrices) {
    for (const execution& on : {execution(on_reference{}), execution(on_cpu{.threads = 2})}) {
        // diag(i, 2, -4, 0.001): condition 4000, determinant -0.008 i.
        complex_matrices<wide> a(4, 4, 1, row_major);
        const wide diagonal[] = {{0, 1}, {2, 0}, {-4, 0}, {0.001, 0}};
        a.fill([&](index_t, index_t i, index_t j) { return i == j ? diagonal[i] : wide(0); });
        std::vector<std::int32_t> pivots(4);
        const lu_result r = lu_factor(on, matrices(a.values.data(), a.shape), pivots.data(),
                                      {.growth = true, .condition = true});
        EXPECT_NEAR(r.reciprocal_condition * 4000, 1, 1e-12);
        EXPECT_EQ(r.growth, 1);
        const auto d = lu_determinant(on, const_matrices(a.values.data(), a.shape), pivots.data());
        EXPECT_NEAR(d.sign, 0, 1e-15);
        EXPECT_NEAR(d.sign_imaginary, -1, 1e-15);
        EXPECT_NEAR(d.log_magnitude, std::log(0.008), 1e-13);
    }
}

TEST(LuComplex, TypesDoNotMix) {
    complex_matrices<wide> a(2, 2, 1, row_major);
    a.random(1);
    std::vector<std::int32_t> pivots(2);
    const matrices m(a.values.data(), a.shape);
    (void)lu_factor(on_cpu{}, m, pivots.data());
    std::vector<double> b(2);
    EXPECT_EQ(thrown<bad_argument>([&] {
                  (void)lu_solve(on_cpu{}, m, pivots.data(), matrices(view<double, 2>(b.data(), {2, 1})));
              }),
              "b: is float64, expected complex128 like factors");
}

INSTANTIATE_TEST_SUITE_P(lu, LuComplexFactor, testing::ValuesIn(rows_of(lu::factor_rows)), test_name);
INSTANTIATE_TEST_SUITE_P(lu, LuComplexSolve, testing::ValuesIn(rows_of(lu::solve_rows)), test_name);
INSTANTIATE_TEST_SUITE_P(lu, LuComplexInverse, testing::ValuesIn(rows_of(lu::inverse_rows)), test_name);

}  // namespace
}  // namespace wale::agreement
