// own_recurrence_test - recurrences and schedules of the caller's own: every tile once, after its neighbours.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <wale/wale.hpp>

namespace wale {
namespace {

const char* const schedules[] = {"automatic", "cpu/rows", "cpu/tiles", "cpu/hyperlane"};

/// Smith-Waterman-like weights over three symbols: values that any wrong neighbour would change.
struct weighted_alignment {
    const std::vector<int>& a;
    const std::vector<int>& b;
    static constexpr int weight[3][3] = {{5, -3, 1}, {-3, 7, -2}, {1, -2, 4}};
    int corner() const { return 0; }
    int top(index_t j) const { return -2 * static_cast<int>(j + 1); }
    int left(index_t i) const { return -3 * static_cast<int>(i + 1); }
    int cell(int diagonal, int up, int left, index_t i, index_t j) const {
        const int pair = weight[a[static_cast<std::size_t>(i)]][b[static_cast<std::size_t>(j)]];
        return std::max({diagonal + pair, up - 3, left - 2});
    }
};

std::vector<int> letters(index_t size, unsigned seed) {
    std::vector<int> s(static_cast<std::size_t>(size));
    for (int& x : s) x = static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 24) % 3;
    return s;
}

TEST(OwnRecurrence, WeightedAlignmentIsTheSameInEverySchedule) {
    for (const auto& [m, n] : {std::pair<index_t, index_t>{0, 7}, {7, 0}, {1, 1}, {40, 33}, {129, 200}}) {
        const auto a = letters(m, 1), b = letters(n, 2);
        const weighted_alignment r{a, b};
        const index_t pitch = n + 3;
        std::vector<int> expected(static_cast<std::size_t>(m * pitch), -77);
        const extents<2> shape{{m, n}};
        const auto table = [&](std::vector<int>& v) { return matrix_view<int>(v.data(), {shape, pitch}); };
        const auto plain = wavefront_fill(on_reference{}, r, table(expected));
        EXPECT_EQ(plain.run.variant, "reference/plain");
        if (m == 1) {
            EXPECT_EQ(expected[0], std::max(weighted_alignment::weight[a[0]][b[0]], -5));
        }
        for (const char* variant : schedules)
            for (const tile_shape tile : {tile_shape{}, {1, 1}, {7, 3}, {3, 50}, {999, 999}})
                for (const int threads : {0, 1, 3}) {
                    std::vector<int> found(expected.size(), -77);
                    const auto result =
                        wavefront_fill(on_cpu{threads}, r, table(found), {.variant = variant, .tile = tile});
                    EXPECT_EQ(found, expected) << variant << ", " << result.run.policy;
                    EXPECT_TRUE(variant == std::string("automatic") || result.run.variant == variant);
                }
    }
}

/// One sweep of successive over-relaxation in place: a cell takes its new upper and left neighbours and its
/// old lower and right ones. As a schedule of tiles over an array that is read and written.
TEST(OwnRecurrence, SuccessiveOverRelaxationSweepsInPlace) {
    const index_t m = 65, n = 90;
    const auto start = [&] {
        std::vector<double> u(static_cast<std::size_t>((m + 2) * (n + 2)));
        for (std::size_t k = 0; k < u.size(); ++k) u[k] = std::sin(static_cast<double>(k));
        return u;
    };
    const auto sweep = [&](std::vector<double>& u, const tile_range& t) {
        for (index_t i = t.row_begin + 1; i <= t.row_end; ++i)
            for (index_t j = t.column_begin + 1; j <= t.column_end; ++j) {
                double* c = &u[static_cast<std::size_t>(i * (n + 2) + j)];
                *c += 1.5 * (0.25 * (c[-1] + c[1] + c[-n - 2] + c[n + 2]) - *c);
            }
    };
    std::vector<double> expected = start();
    sweep(expected, {0, m, 0, n});
    for (const char* variant : schedules) {
        std::vector<double> u = start();
        (void)wavefront_schedule(on_cpu{4}, {{m, n}}, [&](tile_range t) { sweep(u, t); },
                                 {.variant = variant, .tile = {8, 11}});
        EXPECT_EQ(u, expected) << variant;  // bit for bit
    }
}

TEST(OwnRecurrence, EveryTileOnceAfterItsNeighbours) {
    for (const char* variant : {"cpu/tiles", "cpu/hyperlane", "cpu/rows"})
        for (const int threads : {1, 2, 4}) {
            const index_t m = 50, n = 70;
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(m * n));
            std::atomic<int> early{0}, again{0};
            const auto cell = [&](index_t i, index_t j) -> std::atomic<int>& {
                return done[static_cast<std::size_t>(i * n + j)];
            };
            (void)wavefront_schedule(on_cpu{threads}, {{m, n}},
                                     [&](tile_range t) {
                                         const auto missing = [&](index_t i, index_t j) {
                                             return i >= 0 && j >= 0 && cell(i, j) == 0;
                                         };
                                         for (index_t i = t.row_begin - 1; i < t.row_end; ++i)
                                             early += missing(i, t.column_begin - 1);
                                         for (index_t j = t.column_begin; j < t.column_end; ++j)
                                             early += missing(t.row_begin - 1, j);
                                         for (index_t i = t.row_begin; i < t.row_end; ++i)
                                             for (index_t j = t.column_begin; j < t.column_end; ++j)
                                                 again += cell(i, j)++ != 0;
                                     },
                                     {.variant = variant, .tile = {4, 9}});
            EXPECT_EQ(early, 0) << variant;
            EXPECT_EQ(again, 0) << variant;
            for (const auto& d : done) ASSERT_EQ(d, 1) << variant;
        }
}

TEST(OwnRecurrence, ReferenceIsOneTileAndNothingIsCalledForNothing) {
    int calls = 0;
    const auto count = [&](tile_range t) {
        ++calls;
        EXPECT_EQ(t.row_end * 100 + t.column_end, 305);
    };
    (void)wavefront_schedule(on_reference{}, {{3, 5}}, count);
    EXPECT_EQ(calls, 1);
    for (const extents<2>& empty : {extents<2>{{0, 5}}, extents<2>{{5, 0}}, extents<2>{{0, 0}}})
        for (const char* variant : schedules)
            (void)wavefront_schedule(on_cpu{2}, empty, count, {.variant = variant});
    EXPECT_EQ(calls, 1);
}

TEST(OwnRecurrence, WhatTheTileThrowsArrives) {
    for (const char* variant : schedules)
        for (const int threads : {1, 3}) {
            const auto fill = [](tile_range t) {
                if (t.row_begin <= 20 && t.row_end > 20) throw std::runtime_error("row 20");
            };
            EXPECT_THROW((void)wavefront_schedule(on_cpu{threads}, {{60, 60}}, fill,
                                                  {.variant = variant, .tile = {5, 5}}),
                         std::runtime_error)
                << variant;
        }
}

std::string message(const execution& where, extents<2> shape, const wavefront_options& o) {
    try {
        (void)wavefront_schedule(
            where, shape, [](tile_range) {}, o);
    } catch (const error& e) {
        return e.what();
    }
    return {};
}

TEST(OwnRecurrence, MisuseIsSaid) {
    EXPECT_NE(message(on_cuda{}, {{3, 3}}, {}).find("host only"), std::string::npos);
    const std::string unknown = message(on_cpu{}, {{3, 3}}, {.variant = "stripes"});
    EXPECT_NE(unknown.find("'stripes'"), std::string::npos);
    EXPECT_NE(unknown.find("cpu/hyperlane, cpu/tiles, cpu/rows"), std::string::npos);
    EXPECT_NE(message(on_reference{}, {{3, 3}}, {.variant = "cpu/tiles"}).find("reference/plain"),
              std::string::npos);
    EXPECT_NE(message(on_cpu{}, {{3, -3}}, {}).find("3 x -3"), std::string::npos);
    EXPECT_NE(message(on_cpu{}, {{3, 3}}, {.tile = {-1, 2}}).find("options.tile"), std::string::npos);
}

}  // namespace
}  // namespace wale
