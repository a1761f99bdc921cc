// team_test - a team calls every rank once, waits for all, and hands on what they throw.
#include "cpu/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>
#include <wale/execution.hpp>

#include "cpu/meeting.hpp"

namespace wale::cpu {
namespace {

TEST(Team, CallsEveryRankOnceAndTheFirstHere) {
    for (const int size : {1, 2, 9}) {
        std::vector<std::atomic<int>> calls(static_cast<std::size_t>(size));
        std::thread::id first;
        run_team(size, [&](int rank) {
            ++calls[static_cast<std::size_t>(rank)];
            if (rank == 0) first = std::this_thread::get_id();
        });
        for (const auto& c : calls) EXPECT_EQ(c, 1);
        EXPECT_EQ(first, std::this_thread::get_id());
    }
}

TEST(Team, ThrowsWhatTheLowestRankThrewWhenAllAreDone) {
    std::atomic<int> done{0};
    try {
        run_team(5, [&](int rank) {
            if (rank == 2 || rank == 4) throw std::runtime_error(std::to_string(rank));
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            ++done;
        });
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "2");
    }
    EXPECT_EQ(done, 3);
}

/// Everyone sees in round k what all wrote in round k - 1, also where threads are more than cores.
TEST(Team, MeetsAgainAndAgain) {
    for (const int size : {1, 2, 5}) {
        std::vector<int> at(static_cast<std::size_t>(size));
        std::atomic<int> wrong{0};
        meeting meet(size);
        run_team(size, [&](int rank) {
            for (int round = 1; round <= 200; ++round) {
                at[static_cast<std::size_t>(rank)] = round;
                meet.wait();
                for (const int a : at) wrong += a != round;
                meet.wait();
            }
        });
        EXPECT_EQ(wrong, 0);
    }
}

TEST(Team, Size) {
    EXPECT_EQ(team_size(4, 100), 4);
    EXPECT_EQ(team_size(4, 3), 3);
    EXPECT_EQ(team_size(4, 0), 1);
    EXPECT_EQ(team_size(0, 1'000'000), available_threads());
}

}  // namespace
}  // namespace wale::cpu
