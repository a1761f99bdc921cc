// lu_refined_cuda_test - cuda/iterative: f64 answers from each lower precision, orders and several right-hand
// sides, systems for which a lower precision cannot do, singular ones.
#include <limits>

#include "lu_on_device.hpp"

namespace wale {
namespace {

constexpr factor_precision all_precisions[] = {factor_precision::automatic, factor_precision::f16,
                                               factor_precision::tf32, factor_precision::f32,
                                               factor_precision::f64};

struct system_of_test {
    twin<double> a, b, x;
    system_of_test(index_t n, index_t sides, storage_order matrix, storage_order vectors)
        : a({n, n, matrix, 2}), b({n, sides, vectors, 1}), x({n, sides, vectors, 3}) {
        a.fill_random(51);
        b.fill_random(52);
    }
    lu_refined_result solve(factor_precision p, int iterations = 50) {
        a.upload();
        b.upload();
        x.upload();
        lu_refined_result r =
            lu_solve_refined(on_cuda{}, a.on_device(), b.on_device(), x.on_device(),
                             {.variant = "cuda/iterative", .precision = p, .max_iterations = iterations});
        x.download();
        return r;
    }
    /// max |b - A x| / (|A| |x|), the largest of all columns.
    double error() {
        const index_t n = a.shape().rows;
        double worst = 0;
        for (index_t j = 0; j < b.shape().columns; ++j) {
            double residual = 0, norm = 0, size = 0;
            for (index_t i = 0; i < n; ++i) {
                double r = b.at(0, i, j), row = 0;
                for (index_t k = 0; k < n; ++k) {
                    r = std::fma(-a.at(0, i, k), x.at(0, k, j), r);
                    row += std::fabs(a.at(0, i, k));
                }
                residual = std::isnan(r) ? HUGE_VAL : std::fmax(residual, std::fabs(r));
                norm = std::fmax(norm, row);
                size = std::fmax(size, std::fabs(x.at(0, i, j)));
            }
            worst = std::fmax(worst, residual == 0 ? 0 : residual / (norm * size));
        }
        return worst;
    }
    [[nodiscard]] double asked_for() const {
        return 1.5 * std::sqrt(static_cast<double>(a.shape().rows)) * std::numeric_limits<double>::epsilon();
    }
};

class LuRefinedCuda : public LuCuda {};

TEST_F(LuRefinedCuda, EveryPrecisionGivesF64Accuracy) {
    for (const index_t n : {1, 2, 50, 300, 700})
        for (const factor_precision p : all_precisions) {
            system_of_test s(n, 1, storage_order::column_major, storage_order::column_major);
            const lu_refined_result r = s.solve(p);
            EXPECT_LE(s.error(), s.asked_for()) << n << " " << name_of(p) << ": " << r.outcome;
            EXPECT_LE(r.backward_error, s.asked_for()) << r.outcome;
            EXPECT_FALSE(r.outcome.empty());
            if (p != factor_precision::automatic && !r.fell_back) {
                EXPECT_EQ(r.factored, p);
            }
            EXPECT_EQ(s.x.changed_padding(), 0);
        }
}

TEST_F(LuRefinedCuda, OrdersAndSeveralRightSides) {
    for (const storage_order matrix : {storage_order::row_major, storage_order::column_major})
        for (const storage_order vectors : {storage_order::row_major, storage_order::column_major})
            for (const index_t sides : {2, 64, 70})
                for (const factor_precision p : {factor_precision::tf32, factor_precision::f32}) {
                    system_of_test s(130, sides, matrix, vectors);
                    for (index_t i = 0; i < 130; ++i) {
                        s.b.at(0, i, 1) = 0;                      // one answer is 0
                        s.b.at(0, i, 0) *= 1e-200;                // one tiny
                        if (sides > 2) s.b.at(0, i, 2) *= 1e200;  // one huge
                    }
                    const lu_refined_result r = s.solve(p);
                    EXPECT_LE(s.error(), s.asked_for()) << r.outcome;
                    EXPECT_FALSE(r.fell_back) << r.outcome;
                    for (index_t i = 0; i < 130; ++i) ASSERT_EQ(s.x.at(0, i, 1), 0);
                }
}

TEST_F(LuRefinedCuda, ScaledBeyondTheLowerPrecision) {
    for (const double scale : {0x1p-500, 0x1p500, 0x1p20})
        for (const factor_precision p : all_precisions) {
            system_of_test s(200, 1, storage_order::column_major, storage_order::column_major);
            for (index_t i = 0; i < 200; ++i)
                for (index_t j = 0; j < 200; ++j) s.a.at(0, i, j) *= scale;
            const lu_refined_result r = s.solve(p);
            EXPECT_FALSE(r.fell_back) << name_of(p) << ": " << r.outcome;
            EXPECT_LE(s.error(), s.asked_for()) << name_of(p) << ": " << r.outcome;
        }
}

TEST_F(LuRefinedCuda, IllConditionedFallsBack) {
    for (const factor_precision p : {factor_precision::f16, factor_precision::tf32, factor_precision::f32}) {
        system_of_test s(400, 1, storage_order::column_major, storage_order::column_major);
        // Singular values from 1 down to 1e-13: a random matrix scaled by columns, times another.
        twin<double> left({400, 400}), right({400, 400});
        left.fill_random(1);
        right.fill_random(2);
        for (index_t i = 0; i < 400; ++i)
            for (index_t j = 0; j < 400; ++j) {
                double sum = 0;
                for (index_t k = 0; k < 400; ++k)
                    sum += left.at(0, i, k) * std::pow(10.0, -13.0 * static_cast<double>(k) / 399) *
                           right.at(0, k, j);
                s.a.at(0, i, j) = sum;
            }
        const lu_refined_result r = s.solve(p, 20);
        EXPECT_TRUE(r.fell_back) << r.outcome;
        EXPECT_EQ(r.factored, factor_precision::f64);
        EXPECT_NE(r.outcome.find("float64"), std::string::npos) << r.outcome;
        EXPECT_LE(s.error(), s.asked_for()) << r.outcome;
        EXPECT_EQ(r.first_zero, -1);
    }
}

TEST_F(LuRefinedCuda, SingularIsReported) {
    for (const factor_precision p : all_precisions) {
        system_of_test s(100, 1, storage_order::row_major, storage_order::column_major);
        for (index_t i = 0; i < 100; ++i) s.a.at(0, i, 40) = 0;
        const lu_refined_result r = s.solve(p);
        EXPECT_EQ(r.first_zero, 40) << r.outcome;
        EXPECT_EQ(r.factored, factor_precision::f64);
        EXPECT_FALSE(std::isfinite(r.backward_error));
        EXPECT_EQ(r.fell_back, p != factor_precision::automatic && p != factor_precision::f64);
    }
}

TEST_F(LuRefinedCuda, NanAndNoIterations) {
    system_of_test s(60, 1, storage_order::column_major, storage_order::column_major);
    const lu_refined_result none = s.solve(factor_precision::f32, 0);
    EXPECT_TRUE(none.fell_back);
    EXPECT_LE(s.error(), s.asked_for());
    s.a.at(0, 3, 4) = std::nan("");
    const lu_refined_result r = s.solve(factor_precision::tf32);
    EXPECT_FALSE(std::isfinite(r.backward_error));
    for (const auto& [n, sides] : {std::pair<index_t, index_t>{0, 2}, {5, 0}}) {
        system_of_test empty(n, sides, storage_order::column_major, storage_order::column_major);
        EXPECT_EQ(empty.solve(factor_precision::tf32).backward_error, 0);
    }
}

TEST_F(LuRefinedCuda, TheSameBitsFromRunToRun) {
    system_of_test s(500, 3, storage_order::column_major, storage_order::column_major);
    (void)s.solve(factor_precision::tf32);
    const std::vector<double> first = s.x.host;
    for (int i = 0; i < 3; ++i) {
        (void)s.solve(factor_precision::tf32);
        EXPECT_EQ(s.x.host, first);
    }
}

}  // namespace
}  // namespace wale
