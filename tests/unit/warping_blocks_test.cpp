// warping_blocks_test - paths from kept rows and columns, for every distance between them, against the path
// of the reference; and which shapes lengths ask for.
#include <gtest/gtest.h>

#include <random>

#include "solvers/wavefront/warping/shared/kept_blocks.hpp"
#include "solvers/wavefront/warping/shared/shapes.hpp"

namespace wale::wavefront::warping {
namespace {

/// A table as a device would have kept it: out of the band it holds what no path may use.
struct whole_table {
    const series_pair<double>& pair;
    std::vector<double> cells;
    kept_spacing spacing;

    whole_table(const series_pair<double>& p, const kept_spacing& s)
        : pair(p), cells(static_cast<std::size_t>(p.band.rows * p.band.columns), -1), spacing(s) {
        const warping_band& band = p.band;
        const auto value = [&](index_t i, index_t j) {
            if (i < 0 && j < 0) return 0.0;
            return band.has(i, j) ? cells[static_cast<std::size_t>(i * band.columns + j)]
                                  : warping_cell<double>::infinity;
        };
        for (index_t i = 0; i < band.rows; ++i)
            for (index_t j = band.first(i); j <= band.last(i); ++j)
                cells[static_cast<std::size_t>(i * band.columns + j)] =
                    p.cost(i, j) + p.cell.least(value(i - 1, j - 1), value(i - 1, j), value(i, j - 1));
    }
    void row(index_t block, index_t j, index_t count, double* to) const {
        for (index_t k = 0; k < count; ++k)
            to[k] = cells[static_cast<std::size_t>((block * spacing.rows - 1) * pair.band.columns + j + k)];
    }
    void column(index_t block, index_t i, index_t count, double* to) const {
        for (index_t k = 0; k < count; ++k)
            to[k] =
                cells[static_cast<std::size_t>((i + k) * pair.band.columns + spacing.first_of(block) - 1)];
    }
};

TEST(WarpingBlocks, give_the_path_of_the_reference) {
    std::mt19937 draw(1);
    std::uniform_int_distribution<int> number(-3, 3);  // many equal costs
    for (const index_t m : {1, 2, 7, 20})
        for (const index_t n : {1, 3, 8, 31})
            for (const index_t window : {-1, 0, 2})
                for (const kept_spacing spacing :
                     {kept_spacing{1, 1, 1}, {2, 3, 2}, {3, 4, 1}, {7, 5, 5}, {40, 2, 1}, {2, 40, 40}}) {
                    std::vector<double> a(static_cast<std::size_t>(m)), b(static_cast<std::size_t>(n));
                    for (auto* side : {&a, &b})
                        for (double& x : *side) x = number(draw);
                    const auto wanted = warping_path<double>(on_reference{}, a, b, 1, {.window = window});
                    std::vector<std::array<index_t, 2>> path;
                    warping_path_job job;
                    job.measure.window = window;
                    job.a = {a.data(), m, sizeof(double)};
                    job.b = {b.data(), n, sizeof(double)};
                    job.path = &path;
                    const series_pair<double> pair(job);
                    kept_blocks<double, whole_table> cells(pair, spacing, whole_table(pair, spacing));
                    path_backward<double>(job).strip(0, [&](index_t i, index_t j) { return cells(i, j); });
                    ASSERT_EQ(path, wanted.path) << m << " x " << n << ", window " << window << ", lines "
                                                 << spacing.rows << " and " << spacing.columns << " apart";
                }
}

TEST(WarpingShapes, hold_all_rows) {
    for (const index_t rows : {1, 2, 16, 17, 100, 511, 512, 513, 1024})
        for (const index_t window : {-1, 5}) {
            const auto length = static_cast<double>(rows);
            const sweep_work work{1e6, length, length, length, length, window, 4, 132};
            const pack_choice found = best_pack(packs, std::size(packs), rows, work);
            ASSERT_GT(found.cycles, 0) << rows;
            EXPECT_GE(index_t{found.lanes} * packs[found.shape].policy.rows, rows);
        }
    const sweep_work more{1, 1025, 1025, 1025, 1025, -1, 4, 132};
    EXPECT_EQ(best_pack(packs, std::size(packs), 1025, more).cycles, 0);
}

/// One long pair has as many strips as a device has schedulers, many pairs have as few as registers allow.
TEST(WarpingShapes, follow_from_what_is_there_to_do) {
    const auto rows = [](double pairs, double length) {
        return sweeps[best_sweep({pairs, length, length, length, length, -1, 4, 132})].policy.rows;
    };
    EXPECT_EQ(rows(100'000, 2047), 32);
    EXPECT_LE(rows(1, 100'000), 8);
    EXPECT_LE(rows(1, 20'000), rows(1, 100'000));
}

/// Of strips that wait for each other one a scheduler, of many pairs as many as registers allow.
TEST(WarpingShapes, share_schedulers_where_that_makes_none_wait) {
    constexpr sweep_policy few_rows{5, 4, 32, 4, 4, 8};
    EXPECT_EQ(warps_beside(few_rows, {1, 1e5, 1e5, 1e5, 1e5, -1, 4, 132}), 1);
    EXPECT_EQ(warps_beside(few_rows, {1e5, 2047, 2047, 2047, 2047, -1, 4, 132}), 4);
}

}  // namespace
}  // namespace wale::wavefront::warping
