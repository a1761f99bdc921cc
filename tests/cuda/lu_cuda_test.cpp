// lu_cuda_test - what only the device has of lu: launches, and matrices too large for plain loops.
// All else is asked of every row in tests/agreement.
#include <gtest/gtest.h>

#include <cmath>

#include "agreement/stored_matrices.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;

class LuCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

lu_options options_of(const char* variant, pivoting p) {
    lu_options o;
    o.variant = variant;
    o.pivoting = p;
    return o;
}

TEST_F(LuCuda, LaunchesOfTheLadder) {
    const dense a = dominant_matrix(100, 100, 1);
    for (const auto& [variant, launches] : {std::pair<const char*, index_t>{"cuda/row_column", 199},
                                            {"cuda/row_column_copy", 200},
                                            {"cuda/blocked_global", 19},
                                            {"cuda/blocked_shared", 19}}) {
        stored_matrices f(on_cuda{}, {a}, {.type = scalar::f32});
        const lu_result r = lu_factor(on_cuda{}, f.uniform(), nullptr, options_of(variant, pivoting::none));
        EXPECT_EQ(r.run.iterations, launches) << variant;
    }
}

/// Many steps of a large matrix; the residual is taken on the device.
TEST_F(LuCuda, LargeMatricesWithoutPivots) {
    struct large {
        const char* variant;
        index_t rows, columns;
        placement how;
    };
    for (const large& l : {large{"cuda/lookahead", 3000, 2900, {.order = row_major, .gap = 1}},
                           {"cuda/lookahead", 2900, 3000, {.type = scalar::f32}},
                           {"cuda/tile_dag", 2200, 2200, {}}}) {
        const std::vector<dense> a{dominant_matrix(l.rows, l.columns, 3)};
        stored_matrices original(on_cuda{}, a, l.how), f(on_cuda{}, a, l.how);
        (void)lu_factor(on_cuda{}, f.uniform(), nullptr, options_of(l.variant, pivoting::none));
        EXPECT_LT(lu_residual_ratio(on_cuda{}, original.uniform(), f.uniform(), nullptr), 30) << l.variant;
        EXPECT_TRUE(f.gaps_untouched());
    }
}

/// More columns than are inverted at once: A = L U with L = I + e e_0^T / 2 below the diagonal, U = I + 2 e_0
/// e_n^T.
TEST_F(LuCuda, InverseInParts) {
    constexpr index_t n = 4500;
    const dense factors = dense_of(n, n, [](index_t i, index_t j) {
        return i == j ? 1 : j == 0 ? 0.5 : i == 0 && j == n - 1 ? 2 : 0;
    });
    const dense expected = dense_of(n, n, [](index_t i, index_t j) {
        double v = i == j ? 1 : 0;
        if (j == 0 && i > 0) v -= 0.5;
        if (i == 0) v -= 2 * (j == n - 1 ? 1 : j == 0 ? -0.5 : 0);
        return v;
    });
    stored_matrices f(on_cuda{}, {factors}, {.type = scalar::f32, .order = row_major});
    (void)lu_inverse(on_cuda{}, f.uniform(), nullptr, {.variant = "cuda/blocked"});
    EXPECT_TRUE(f.get()[0].values == expected.values);
}

/// More than two blocks of columns: A = L U is tridiagonal and exact.
TEST_F(LuCuda, ResidualOfManyBlocksOfColumns) {
    constexpr index_t n = 4500;
    const auto band = [](double diagonal, double above, double below, double first) {
        return dense_of(n, n, [=](index_t i, index_t j) {
            return i == j ? (i == 0 ? first : diagonal) : j == i + 1 ? above : i == j + 1 ? below : 0;
        });
    };
    stored_matrices a(on_cuda{}, {band(2.25, 0.5, 1, 2)}, {});
    dense factors = band(2, 0.5, 0.5, 2);
    const auto ratio = [&] {
        stored_matrices f(on_cuda{}, {factors}, {});
        return lu_residual_ratio(on_cuda{}, a.uniform(), f.uniform(), nullptr);
    };
    EXPECT_EQ(ratio(), 0);
    factors(n - 1, 5) = 1;
    EXPECT_GT(ratio(), 30);
    factors(n - 1, 5) = std::nan("");
    EXPECT_TRUE(std::isnan(ratio()));
}

}  // namespace
}  // namespace wale::agreement
