// ready_rows_test - the row protocol with real threads. ThreadSanitizer runs this too.
#include "schedule/ready_rows.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "cpu/row_team.hpp"

namespace wale::cpu {
namespace {

/// Counts paths to each cell of a bands x tiles grid: wrong wherever a tile ran too early, or twice, or
/// never.
void check_paths(int threads, int bands, index_t tiles) {
    std::vector<std::uint32_t> paths(static_cast<std::size_t>(bands * tiles), 0);
    const auto at = [&](index_t r, index_t c) -> std::uint32_t& {
        return paths[static_cast<std::size_t>(r * tiles + c)];
    };
    run_bands(threads, bands, [&] {
        return [&](const band& b) {
            const index_t r = b.number();
            for (index_t c = 0; c < tiles; ++c) {
                ASSERT_TRUE(b.wait_above(c + 1));
                at(r, c) += (r > 0 ? at(r - 1, c) : 0) + (c > 0 ? at(r, c - 1) : 0) + (r + c == 0 ? 1u : 0u);
                b.done(c + 1);
            }
        };
    });
    std::vector<std::uint32_t> row(static_cast<std::size_t>(tiles), 0);
    for (index_t r = 0; r < bands; ++r)
        for (index_t c = 0; c < tiles; ++c) {
            const auto k = static_cast<std::size_t>(c);
            row[k] = r + c == 0 ? 1 : row[k] + (c > 0 ? row[k - 1] : 0);
            ASSERT_EQ(at(r, c), row[k]) << threads << " threads, band " << r << ", tile " << c;
        }
}

TEST(ReadyRows, OneThread) {
    check_paths(1, 50, 20);
}
TEST(ReadyRows, TwoThreads) {
    check_paths(2, 300, 40);
}
TEST(ReadyRows, MoreThreadsThanRows) {
    check_paths(16, 3, 200);
}
TEST(ReadyRows, ManyRowsForFewThreads) {
    check_paths(3, 5000, 4);
}
TEST(ReadyRows, NoRows) {
    check_paths(4, 0, 4);
}
TEST(ReadyRows, NoTiles) {
    check_paths(4, 4, 0);
}

TEST(ReadyRows, AnExceptionEndsAllThreadsAndArrives) {
    for (const int threads : {1, 2, 5}) {
        std::atomic<int> after{0};
        const auto make = [&] {
            return [&](const band& b) {
                if (b.number() == 3) throw bad_argument("from band 3");
                if (!b.wait_above(1)) return;
                if (b.number() > 3) ++after;
                b.done(1);
            };
        };
        EXPECT_THROW(run_bands(threads, 40, make), bad_argument);
        EXPECT_EQ(after, 0) << "a band below the one that threw went on";
    }
}

TEST(ReadyRows, AWithheldCounterEndsInFailed) {
    using sync = ready_rows_sync<2000>;
    sync::word ticket, ready[2], failed;
    const schedule::ready_rows<sync> rows{&ticket, ready, &failed};
    rows.publish(0, 3);
    EXPECT_TRUE(rows.wait(0, 3));
    EXPECT_EQ(failed.value, 0u);
    EXPECT_FALSE(rows.wait(0, 4));  // no thread publishes the fourth
    EXPECT_EQ(failed.value, 1u);
    EXPECT_FALSE(rows.wait(1, 1)) << "once failed, every wait ends";
}

TEST(ReadyRows, TicketsEnd) {
    using sync = ready_rows_sync<>;
    sync::word ticket, ready[2], failed;
    const schedule::ready_rows<sync> rows{&ticket, ready, &failed};
    EXPECT_EQ(rows.take(2), 0);
    EXPECT_EQ(rows.take(2), 1);
    EXPECT_EQ(rows.take(2), -1);
    EXPECT_EQ(rows.take(2), -1);
}

}  // namespace
}  // namespace wale::cpu
