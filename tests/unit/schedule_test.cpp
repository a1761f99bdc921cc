// schedule_test - the geometry against its definition, for all small shapes: every cell in exactly one tile,
// and every order one in which a cell's neighbours come first. The bounded wait: it ends when the word is
// there, at the bound, and when another worker failed.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "schedule/antidiagonals.hpp"
#include "schedule/skewed_tiles.hpp"
#include "schedule/wait.hpp"

namespace wale::schedule {
namespace {

TEST(Antidiagonals, VisitEveryTileOnceAndAfterItsNeighbours) {
    for (index_t rows = 0; rows <= 7; ++rows)
        for (index_t columns = 0; columns <= 7; ++columns) {
            const antidiagonals grid{rows, columns};
            std::set<std::pair<index_t, index_t>> done;
            for (index_t d = 0; d < grid.count(); ++d) {
                const auto before = done;
                ASSERT_GT(grid.tiles(d), 0);
                for (index_t k = 0; k < grid.tiles(d); ++k) {
                    const auto [r, c] = grid.at(d, k);
                    ASSERT_TRUE(r >= 0 && r < rows && c >= 0 && c < columns);
                    ASSERT_TRUE(r == 0 || before.contains({r - 1, c}));
                    ASSERT_TRUE(c == 0 || before.contains({r, c - 1}));
                    ASSERT_TRUE(r == 0 || c == 0 || before.contains({r - 1, c - 1}));
                    ASSERT_TRUE(done.insert({r, c}).second);
                }
            }
            ASSERT_EQ(std::ssize(done), rows * columns);
        }
}

/// The tile of a band's cell by the definition: each row begins `skew` further to the left.
index_t tile_of(const skewed_tiles& s, index_t row, index_t column) {
    return (column + row * s.skew) / s.width;
}

void check_partition(const skewed_tiles& s) {
    for (index_t row = 0; row < s.height; ++row) {
        index_t next = 0;
        for (index_t t = 0; t < s.tiles(); ++t) {
            const column_range range = s.range(t, row);
            ASSERT_LE(range.begin, range.end);
            for (index_t j = range.begin; j < range.end; ++j) {
                ASSERT_EQ(tile_of(s, row, j), t);
                ASSERT_EQ(j, next++);
            }
        }
        ASSERT_EQ(next, s.columns);
    }
    // No tile more than that which holds the last cell of the last row.
    ASSERT_EQ(s.tiles(), s.columns == 0 ? 0 : tile_of(s, s.height - 1, s.columns - 1) + 1);
}

/// needed_above(t) covers every neighbour of every cell of tile t, and one tile fewer would not.
void check_needs(const skewed_tiles& s) {
    for (index_t t = 0; t < s.tiles(); ++t) {
        index_t highest = 0;
        const column_range first = s.range(t, 0);
        for (index_t j = first.begin; j < first.end; ++j)
            highest = std::max(highest, tile_of(s, s.height - 1, j) + 1);
        ASSERT_GE(s.needed_above(t), highest);
        ASSERT_LE(s.needed_above(t), s.tiles());
        if (first.end - first.begin == s.width && s.range(t + 1, 0).end > first.end) {
            ASSERT_LE(s.needed_above(t), highest) << "waits for a tile that it does not need";
        }
        // Within the band: cells of earlier tiles, or of this one in rows above or to the left.
        for (index_t row = 0; row < s.height; ++row) {
            const column_range mine = s.range(t, row);
            for (index_t j = mine.begin; j < mine.end; ++j) {
                ASSERT_TRUE(j == 0 || tile_of(s, row, j - 1) <= t);
                ASSERT_TRUE(row == 0 || tile_of(s, row - 1, j) <= t);
            }
        }
    }
}

TEST(SkewedTiles, CoverEveryCellOnceAndKnowWhatTheyNeed) {
    for (index_t columns = 0; columns <= 20; ++columns)
        for (index_t width = 1; width <= 9; ++width)
            for (index_t height = 1; height <= 6; ++height)
                for (index_t skew = 0; skew <= 2; ++skew) {
                    SCOPED_TRACE(testing::Message() << columns << " columns, tiles of " << height << " x "
                                                    << width << ", skew " << skew);
                    const skewed_tiles s{columns, width, height, skew};
                    check_partition(s);
                    check_needs(s);
                    if (HasFatalFailure()) return;
                }
}

TEST(SkewedTiles, RectanglesNeedTheTileAbove) {
    constexpr skewed_tiles s{100, 10, 16, 0};
    static_assert(s.tiles() == 10 && s.needed_above(0) == 1 && s.needed_above(9) == 10);
    constexpr skewed_tiles leaning{100, 10, 16, 1};  // the last row lags 15 columns: two tiles
    static_assert(leaning.tiles() == 12 && leaning.needed_above(0) == 3 && leaning.needed_above(11) == 12);
}

struct counting_sync {
    using word = std::uint32_t;
    static constexpr std::uint32_t spin_limit = 4 * polls_per_look;
    static inline std::uint32_t pauses = 0, looks = 0;
    static word load_relaxed(const word* p) {
        ++looks;
        return *p;
    }
    static void store_relaxed(word* p, word v) { *p = v; }
    static void pause(std::uint32_t) { ++pauses; }
};

class Wait : public testing::Test {
protected:
    void SetUp() override { counting_sync::pauses = counting_sync::looks = 0; }
    /// Waits for poll number `arrival`.
    bool wait(std::uint32_t arrival) {
        return wait_until([&] { return polls_++ == arrival; }, shared_bound<counting_sync>{&failed_});
    }
    std::uint32_t failed_ = 0, polls_ = 0;
};

TEST_F(Wait, NeitherPausesNorLooksWhereTheWordIsThere) {
    EXPECT_TRUE(wait(0));
    EXPECT_EQ(polls_, 1u);
    EXPECT_EQ(counting_sync::pauses + counting_sync::looks, 0u);
}

TEST_F(Wait, PausesAfterEachPollThatFailedAndLooksAtIntervals) {
    EXPECT_TRUE(wait(2 * polls_per_look));
    EXPECT_EQ(counting_sync::pauses, 2 * polls_per_look);
    EXPECT_EQ(counting_sync::looks, 2u);
    EXPECT_EQ(failed_, 0u);
}

TEST_F(Wait, RaisesFailedAtTheBoundAndGivesUp) {
    EXPECT_FALSE(wait(~0u));
    EXPECT_EQ(failed_, 1u);
    EXPECT_LE(polls_, counting_sync::spin_limit + polls_per_look);
    EXPECT_GT(polls_, counting_sync::spin_limit);
}

TEST_F(Wait, GivesUpSoonAfterAnotherWorkerFailed) {
    failed_ = 1;
    EXPECT_FALSE(wait(~0u));
    EXPECT_EQ(polls_, polls_per_look);
}

TEST_F(Wait, OwnBoundPollsOnceMoreThanItsLimit) {
    for (const std::uint32_t limit : {0u, 1u, 7u}) {
        polls_ = 0;
        EXPECT_FALSE(wait_until([&] { return ++polls_ > 100; }, own_bound{limit}));
        EXPECT_EQ(polls_, limit + 1);
    }
    EXPECT_TRUE(wait_until([] { return true; }, own_bound{0}));
}

}  // namespace
}  // namespace wale::schedule
