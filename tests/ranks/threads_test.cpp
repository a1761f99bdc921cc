// Ranks that are threads: the transport's rules, and what happens when one goes.
#include <gtest/gtest.h>

#include <wale/error.hpp>

#include "ranks/transport_checks.hpp"

namespace wale {
namespace {

TEST(Ranks, NobodyIsAlone) {
    const ranks alone;
    EXPECT_TRUE(alone.empty());
    EXPECT_EQ(alone.rank(), 0);
    EXPECT_EQ(alone.size(), 1);
    EXPECT_TRUE(alone.any(true));
    EXPECT_FALSE(alone.any(false));
    EXPECT_EQ(gather(alone, "own"), std::vector<std::string>{"own"});
    EXPECT_EQ(gather_first(alone, "own"), std::vector<std::string>{"own"});
    EXPECT_GE(threads_for(alone), 1);
    alone.abandon();
}

TEST(Ranks, MessagesArriveInOrder) {
    for (const int size : {1, 2, 3, 5, 8}) run_ranks(size, checks::check_transport);
}

TEST(Ranks, WhatTheFirstThrewIsThrown) {
    EXPECT_THROW(run_ranks(3,
                           [](const ranks& group) {
                               if (group.rank() == 1) throw bad_argument("it was I");
                               (void)group.any(false);  // waits for all
                           }),
                 bad_argument);
}

TEST(Ranks, AnotherLengthIsAnError) {
    EXPECT_THROW(run_ranks(2,
                           [](const ranks& group) {
                               char bytes[8]{};
                               mpi::transport& t = *group.transport();
                               if (t.rank() == 0) t.send(1, bytes, 7);
                               if (t.rank() == 1) t.receive(0, bytes, 8);
                               t.finish();
                           }),
                 rank_error);
}

TEST(Ranks, AHandleMayBeKept) {
    ranks kept;
    run_ranks(2, [&](const ranks& r) {
        if (r.rank() == 1) kept = r;
    });
    EXPECT_EQ(kept.rank(), 1);
    EXPECT_EQ(kept.size(), 2);
    EXPECT_THROW((void)kept.any(true), rank_error);
}

TEST(Ranks, SomeAreNeeded) {
    EXPECT_THROW(run_ranks(0, [](const ranks&) {}), bad_argument);
    EXPECT_THROW(run_ranks(2, {}), bad_argument);
}

}  // namespace
}  // namespace wale
