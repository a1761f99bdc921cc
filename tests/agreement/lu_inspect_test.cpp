// lu_inspect_test - every row of the internal tables of lu: norms, determinants and residuals against plain
// loops.
#include <cmath>

#include "agreement/lu_rows.hpp"
#include "solvers/lu/jobs.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;
using lu::measure;

constexpr scalar types[] = {scalar::f32, scalar::f64};

struct shape_of_test {
    index_t rows, columns, count = 1;
    placement how;
};
const shape_of_test shapes[] = {{1, 1, 1, {}},
                                {5, 9, 1, {.order = row_major, .gap = 3}},
                                {33, 31, 1, {.gap = 1}},
                                {40, 70, 37, {.order = row_major}},
                                {128, 128, 9, {}},
                                {129, 127, 3, {.order = row_major, .gap = 2}},
                                {300, 517, 1, {.gap = 5}},
                                {1031, 260, 1, {.order = row_major}},
                                {0, 4, 3, {.gap = 1}}};

std::vector<dense> random_matrices(const shape_of_test& s) {
    std::vector<dense> all;
    for (index_t k = 0; k < s.count; ++k)
        all.push_back(random_matrix(s.rows, s.columns, static_cast<unsigned>(k) + 3));
    return all;
}

std::string text_of(const shape_of_test& s) {
    return std::to_string(s.count) + " of " + std::to_string(s.rows) + " x " + std::to_string(s.columns);
}

/// The row of a table that the test is about.
template <class Job>
void run(catalogue::table<Job>& table, const named_row& row, Job& job) {
    catalogue::select(table, row.where, row.name, job).run(job);
}

class LuMeasure : public row_test {
protected:
    static std::vector<double> measured(const std::vector<dense>& all, const placement& how, measure what) {
        stored_matrices a(where(3), all, how);
        const stored_array<double> values(where(3), std::ssize(all), -1);
        lu::measure_job job{.where = where(3),
                            .a = const_matrices(a.uniform()),
                            .what = what,
                            .factor = 0.5,
                            .values = values.data()};
        run(lu::measure_rows(), GetParam(), job);
        return values.get();
    }
    static double expected(const dense& a, measure what) {
        if (what == measure::one_norm) return 0.5 * one_norm(a);
        double most = 0;
        for (index_t i = 0; i < a.rows; ++i)
            for (index_t j = what == measure::max_magnitude ? 0 : i; j < a.columns; ++j)
                most = !(std::fabs(a(i, j)) <= most) ? std::fabs(a(i, j)) : most;
        return 0.5 * most;
    }
    static void expect_right(const std::vector<dense>& all, const placement& how, const std::string& trace) {
        for (const measure what : {measure::max_magnitude, measure::max_magnitude_upper, measure::one_norm}) {
            const auto found = measured(all, how, what);
            for (std::size_t k = 0; k < all.size(); ++k)
                EXPECT_NEAR(found[k], expected(rounded(all[k], how.type), what), 1e-12 * (1 + found[k]))
                    << trace << ", matrix " << k << ", measure " << static_cast<int>(what);
        }
    }
};

TEST_P(LuMeasure, Shapes) {
    for (const shape_of_test& s : shapes)
        for (const scalar type : types) {
            placement how = s.how;
            how.type = type;
            expect_right(random_matrices(s), how, text_of(s));
        }
}

/// NaN outdoes every number; below the diagonal the upper triangle does not see it.
TEST_P(LuMeasure, NotFinite) {
    for (const storage_order order : {row_major, column_major})
        for (const double odd : {std::nan(""), -std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            std::vector<dense> all(3, random_matrix(90, 70, 8));
            all[1](66, 2) = odd;
            for (const measure what : {measure::max_magnitude, measure::one_norm}) {
                const auto found = measured(all, {.order = order, .gap = 1}, what);
                EXPECT_EQ(std::isnan(found[1]), std::isnan(odd));
                EXPECT_FALSE(std::isfinite(found[1]));
                EXPECT_TRUE(std::isfinite(found[0]) && found[0] == found[2]);
            }
            const auto upper = measured(all, {.order = order, .gap = 1}, measure::max_magnitude_upper);
            EXPECT_EQ(upper[1], upper[0]);
        }
}

INSTANTIATE_TEST_SUITE_P(Variants, LuMeasure, testing::ValuesIn(rows_of(lu::measure_rows)), test_name);

class LuDeterminant : public row_test {};

TEST_P(LuDeterminant, Diagonals) {
    for (const scalar type : types)
        for (const index_t n : {1, 2, 31, 200, 2100}) {
            const index_t count = n > 1000 ? 1 : 6;
            std::vector<dense> all;
            for (index_t k = 0; k < count; ++k) all.push_back(random_matrix(n, n, static_cast<unsigned>(k)));
            if (count > 1) {
                all[1](n / 2, n / 2) = 0;
                all[2](n - 1, n - 1) = std::nan("");
                if (type == scalar::f64 && !std::holds_alternative<on_cuda>(where()))
                    all[4](0, 0) = 0x3p-1072;  // below the normal range
            }
            std::vector<std::int32_t> pivots;
            for (index_t k = 0; k < count * n; ++k)  // each row with the last one
                pivots.push_back(static_cast<std::int32_t>(k / n == 3 ? n - 1 : k % n));
            stored_matrices factors(where(), all, {.type = type, .gap = 1});
            const stored_array<std::int32_t> there(where(), pivots);
            const stored_array<double> signs(where(), count, -7), logs(where(), count, -7);
            lu::determinant_job job{.where = where(),
                                    .factors = const_matrices(factors.uniform()),
                                    .pivots = there.data(),
                                    .sign = signs.data(),
                                    .log_magnitude = logs.data()};
            run(lu::determinant_rows(), GetParam(), job);
            for (index_t k = 0; k < count; ++k) {
                double sign = k == 3 && n % 2 == 0 ? -1 : 1, log = 0;
                for (index_t i = 0; i < n; ++i) {
                    const double u = all[static_cast<std::size_t>(k)](i, i);
                    sign *= std::isnan(u) ? u : u > 0 ? 1 : u < 0 ? -1 : 0;
                    log += std::log(std::fabs(rounded(dense(1, 1, u), type)(0, 0)));
                }
                const double s = signs.get()[static_cast<std::size_t>(k)],
                             l = logs.get()[static_cast<std::size_t>(k)];
                EXPECT_TRUE(s == sign || (std::isnan(s) && std::isnan(sign))) << n << ", matrix " << k;
                EXPECT_TRUE(l == log || std::isnan(log) || std::fabs(l - log) <= 1e-11 * (1 + std::fabs(log)))
                    << l << " " << log;
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Variants, LuDeterminant, testing::ValuesIn(rows_of(lu::determinant_rows)),
                         test_name);

class LuResidual : public row_test {
protected:
    static double ratio(const std::vector<dense>& a, const std::vector<dense>& factors,
                        const std::vector<std::int32_t>& pivots, const placement& how, int threads) {
        stored_matrices at(where(threads), a, how), lu(where(threads), factors, how);
        const stored_array<std::int32_t> there(where(threads), pivots);
        lu::residual_job job{.where = where(threads),
                             .a = const_matrices(at.uniform()),
                             .factors = const_matrices(lu.uniform()),
                             .pivots = there.data()};
        run(lu::residual_rows(), GetParam(), job);
        return job.ratio;
    }
};

TEST_P(LuResidual, AgreesAndSeesAnError) {
    for (const shape_of_test& s : shapes)
        for (const scalar type : types) {
            placement how = s.how;
            how.type = type;
            const factored f = factored_by_lapack(random_matrices(s), type);
            double expected = 0;
            for (std::size_t k = 0; k < f.factors.size(); ++k)
                expected = std::max(expected, factor_ratio(f.originals[k], f.factors[k], f.pivots[k], type));
            const double found = ratio(f.originals, f.factors, f.all_pivots(), how, 1);
            // In f64 the residual has the size of its own rounding.
            EXPECT_NEAR(found, expected, type == scalar::f32 ? 1e-3 * (1 + expected) : 1 + expected)
                << text_of(s);
            EXPECT_EQ(found, ratio(f.originals, f.factors, f.all_pivots(), how,
                                   GetParam().where == backend::cpu ? 3 : 1));
            if (s.rows < 2) continue;
            std::vector<dense> wrong = f.factors;
            wrong.back()(s.rows - 1, s.columns / 2) += 2;
            EXPECT_GT(ratio(f.originals, wrong, f.all_pivots(), how, 1), 30) << text_of(s);
            wrong.back()(0, s.columns - 1) = std::nan("");
            EXPECT_TRUE(std::isnan(ratio(f.originals, wrong, f.all_pivots(), how, 1))) << text_of(s);
        }
}

INSTANTIATE_TEST_SUITE_P(Variants, LuResidual, testing::ValuesIn(rows_of(lu::residual_rows)), test_name);

}  // namespace
}  // namespace wale::agreement
