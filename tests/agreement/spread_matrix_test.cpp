// spread_matrix_test - one matrix in host memory over several devices, in blocks of columns by devices in
// turn: LAPACK's ratio of the factors, pivots that are rows, what follows from zeros and NaN, and solutions
// of many right sides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <wale/error.hpp>
#include <wale/lu.hpp>

#include "agreement/several_devices.hpp"
#include "tuning/override.hpp"

namespace wale::agreement {
namespace {

double number(index_t k) {
    const auto h = static_cast<std::uint32_t>(k) * 2654435761u ^ static_cast<std::uint32_t>(k >> 7) * 40503u;
    return static_cast<double>(h) * 0x1p-31 - 1;
}

template <class T>
struct dense {
    matrix_shape shape;
    std::vector<T> values;

    dense(storage_order order, index_t rows, index_t columns, index_t gap) {
        shape = {.type = scalar_of<T>::value, .order = order, .rows = rows, .columns = columns};
        shape.leading = shape.line_size() + gap;
        shape.stride = shape.leading * shape.lines();
        values.resize(static_cast<std::size_t>(shape.stride));
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<T>(number(static_cast<index_t>(k)));
    }
    [[nodiscard]] T& at(index_t i, index_t j) {
        return values[static_cast<std::size_t>(i * shape.row_step() + j * shape.column_step())];
    }
    [[nodiscard]] matrices view() { return {values.data(), shape}; }
    [[nodiscard]] const_matrices view() const { return {values.data(), shape}; }
};

class SpreadMatrix : public SeveralDevices {
protected:
    /// Panels of 32 columns, two of them joined while more than 100 rows are left.
    const tuning::scoped_override small_panels_{"lu/parts=1"};
    [[nodiscard]] bool divided() const { return many.devices.size() > 1; }
};
INSTANTIATE_TEST_SUITE_P(Devices, SpreadMatrix, device_lists(), devices_name);

template <class T>
void expect_factors(const on_cuda& many, bool divided, storage_order order, index_t rows, index_t columns,
                    index_t gap) {
    const std::string what = std::to_string(rows) + " x " + std::to_string(columns) + ", gap " +
                             std::to_string(gap) +
                             (order == storage_order::row_major ? ", rows" : ", columns");
    const dense<T> a(order, rows, columns, gap);
    dense<T> factors = a;
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(factors.shape.diagonal()), -1);
    const lu_result found = lu_factor(many, factors.view(), pivots.data());
    EXPECT_EQ(found.run.variant == "cuda/block_cyclic", divided) << what << ", " << found.run.variant;
    EXPECT_EQ(found.singular, 0) << what;
    for (std::size_t k = 0; k < pivots.size(); ++k) {
        ASSERT_GE(pivots[k], static_cast<std::int32_t>(k)) << what;
        ASSERT_LT(pivots[k], rows) << what;
    }
    EXPECT_LT(lu_residual_ratio(on_cpu{}, a.view(), std::as_const(factors).view(), pivots.data()), 30)
        << what;
    for (index_t line = 0; gap > 0 && line < a.shape.lines(); ++line) {
        const auto end = static_cast<std::size_t>(line * a.shape.leading + a.shape.line_size());
        ASSERT_EQ(a.values[end], factors.values[end]) << what << ": a gap was written to";
    }
}

TEST_P(SpreadMatrix, AnyShape) {
    constexpr index_t shapes[][2] = {{1, 1},   {1, 7},     {7, 1},      {31, 31},   {32, 33},
                                     {64, 64}, {65, 64},   {64, 129},   {200, 333}, {333, 200},
                                     {97, 96}, {500, 500}, {1025, 700}, {90, 1500}};
    for (const auto& [rows, columns] : shapes)
        for (const auto order : {storage_order::row_major, storage_order::column_major})
            for (const index_t gap : {0, 3}) {
                expect_factors<double>(many, divided(), order, rows, columns, gap);
                expect_factors<float>(many, divided(), order, rows, columns, gap);
            }
}

TEST_P(SpreadMatrix, PanelsOfEachWidth) {
    for (const int row : {0, 3, 4}) {
        const tuning::scoped_override other("lu/parts=" + std::to_string(row));
        const auto order = row == 3 ? storage_order::row_major : storage_order::column_major;
        const dense<double> a(order, 2100, 2100, 0);
        dense<double> factors = a;
        std::vector<std::int32_t> pivots(2100);
        lu_options o;
        if (divided()) o.variant = "cuda/block_cyclic";
        (void)lu_factor(many, factors.view(), pivots.data(), o);
        EXPECT_LT(lu_residual_ratio(on_cpu{}, a.view(), std::as_const(factors).view(), pivots.data()), 30)
            << row;
    }
}

/// What the host reads from factors and pivots: as on the CPU.
TEST_P(SpreadMatrix, ZerosAndNaN) {
    constexpr index_t n = 150;
    dense<double> a(storage_order::column_major, n, n, 0);
    for (index_t i = 0; i < n; ++i) a.at(i, 70) = 0;
    dense<double> one = a, all = a;
    std::vector<std::int32_t> pivots(n), permutation(n), permutation_of_one(n);
    double sign = 7, log = 7;
    const lu_result r = lu_factor(many, all.view(),
                                  lu_outputs{.pivots = pivots.data(),
                                             .permutation = permutation.data(),
                                             .sign = &sign,
                                             .log_magnitude = &log});
    const lu_result s = lu_factor(
        cpu, one.view(), lu_outputs{.pivots = pivots.data(), .permutation = permutation_of_one.data()});
    EXPECT_EQ(r.singular, 1);
    EXPECT_EQ(r.first_zero, s.first_zero);
    EXPECT_EQ(r.first_zero, 70);
    EXPECT_EQ(sign, 0);
    EXPECT_EQ(log, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(permutation, permutation_of_one);
    dense<double> bad(storage_order::row_major, n, n, 1);
    bad.at(120, 3) = std::numeric_limits<double>::quiet_NaN();
    lu_options o;
    o.growth = true;
    EXPECT_EQ(lu_factor(many, bad.view(), pivots.data(), o).not_finite, 1);
}

TEST_P(SpreadMatrix, Solves) {
    for (const auto order : {storage_order::row_major, storage_order::column_major})
        for (const index_t sides : {0, 1, 2, 5, 40}) {
            constexpr index_t n = 170;
            const dense<double> a(order, n, n, 0);
            dense<double> factors = a;
            std::vector<std::int32_t> pivots(n);
            (void)lu_factor(many, factors.view(), pivots.data());
            dense<double> x(order, n, sides, 2), right = x;
            dense<double> on_host = right;
            (void)lu_solve(cpu, std::as_const(factors).view(), pivots.data(), on_host.view());
            const lu_solve_result r = lu_solve(many, std::as_const(factors).view(), pivots.data(), x.view());
            for (index_t j = 0; j < sides; ++j)
                for (index_t i = 0; i < n; ++i)
                    ASSERT_NEAR(x.at(i, j), on_host.at(i, j), 1e-9 * (1 + std::fabs(on_host.at(i, j))));
            EXPECT_EQ(r.run.threads,
                      std::clamp<int>(static_cast<int>(sides), 1, static_cast<int>(many.devices.size())));
        }
}

TEST_P(SpreadMatrix, WhatTheRowRefuses) {
    dense<double> a(storage_order::row_major, 100, 100, 0);
    std::vector<std::int32_t> pivots(100);
    lu_options o;
    o.variant = "cuda/block_cyclic";
    o.pivoting = pivoting::none;
    EXPECT_THROW((void)lu_factor(many, a.view(), pivots.data(), o), unsupported_variant);
    o.asynchronous = true;
    o.pivoting = pivoting::partial;
    EXPECT_THROW((void)lu_factor(many, a.view(), pivots.data(), o), error);
}

}  // namespace
}  // namespace wale::agreement
