// wait_test - the bounded wait: it ends when the word is there, at the bound, and when another worker failed.
#include "schedule/wait.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace wale::schedule {
namespace {

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
