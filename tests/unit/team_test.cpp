// team_test - a team calls every rank once, waits for all, hands on what they throw, and ends where a rank
// throws or does not start.
#include "cpu/team.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <wale/error.hpp>
#include <wale/execution.hpp>
#include <wale/ranks.hpp>

#include "base/pool.hpp"
#include "cpu/barrier.hpp"
#include "cpu/row_team.hpp"
#include "unit/failing_thread.hpp"
#include "unit/thrown.hpp"

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

/// More ranks than processors and no work to speak of: the caller makes calls whose threads have not begun.
TEST(Team, CallsEveryRankOnceHoweverBusyTheProcessorsAre) {
    constexpr int size = 40, repeats = 500;
    std::vector<std::atomic<int>> calls(size);
    std::atomic<int> inner{0};
    for (int repeat = 0; repeat < repeats; ++repeat)
        run_team(size, [&](int rank) {
            ++calls[static_cast<std::size_t>(rank)];
            if (rank % 20 == 1) run_team(3, [&](int) { ++inner; });
        });
    for (const auto& c : calls) EXPECT_EQ(c, repeats);
    EXPECT_EQ(inner, repeats * 2 * 3);
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
        barrier meet(size);
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

/// The last rank to come to a barrier decides for all.
TEST(Team, OneOfAMeetingCompletesIt) {
    int rounds = 0;
    barrier meet(3);
    std::atomic<int> seen{0};
    run_team(3, [&](int) {
        for (int round = 1; round <= 100; ++round) {
            meet.wait([&] { ++rounds; });
            seen += rounds;
            meet.wait();
        }
    });
    EXPECT_EQ(rounds, 100);
    EXPECT_EQ(seen, 3 * 5050);
}

/// What `work` of the team throws, a std::runtime_error, as text.
std::string text_of_failure(int size, const std::function<void(int)>& work) {
    try {
        run_team(size, work);
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

TEST(Team, ARankThatThrowsEndsTheMeetingsOfTheOthers) {
    for (const int thrower : {0, 1, 3})
        for (const int round : {0, 1, 5}) {
            barrier meet(4);
            const auto work = [&](int rank) {
                for (int k = 0; k < 10; ++k) {
                    if (rank == thrower && k == round)
                        throw std::runtime_error("rank " + std::to_string(rank));
                    meet.wait();
                }
            };
            EXPECT_EQ(text_of_failure(4, work), "rank " + std::to_string(thrower));
        }
}

TEST(Team, WhatCompletesAMeetingMayThrow) {
    barrier meet(3);
    EXPECT_EQ(text_of_failure(3, [&](int) { meet.wait([] { throw std::runtime_error("completing"); }); }),
              "completing");
}

TEST(Team, AWorkerThatThrowsEndsTheWaitsForItsBand) {
    for (const int failing : {0, 1, 6}) {
        std::string text;
        try {
            run_bands(3, 9, [&] {
                return [&](const band& b) {
                    if (!b.wait_above(1)) return;
                    if (b.number() == failing) throw std::runtime_error("band");
                    b.done(1);
                };
            });
        } catch (const std::runtime_error& e) {
            text = e.what();
        }
        EXPECT_EQ(text, "band") << failing;
    }
}

/// A team within a team: the ranks of the inner one wait for a rank of the outer one that throws.
TEST(Team, ARankThatThrowsEndsTheWaitsOfTeamsWithin) {
    barrier outer(2);
    const auto work = [&](int rank) {
        if (rank == 1) throw std::runtime_error("outer");
        barrier inner(2);
        run_team(2, [&](int member) {
            if (member == 0) outer.wait();
            inner.wait();
        });
    };
    EXPECT_EQ(text_of_failure(2, work), "outer");
}

/// The system gives `left` more threads while this object lasts.
class few_threads {
public:
    explicit few_threads(long left) : before_(faults::threads_left.exchange(left)) {}
    few_threads(const few_threads&) = delete;
    few_threads& operator=(const few_threads&) = delete;
    ~few_threads() { faults::threads_left = before_; }

private:
    long before_;
};

TEST(Team, EndsWhereTheSystemRefusesAThread) {
    for (const int started : {0, 1, 2, 3}) {
        (void)base::end_idle_threads();
        const few_threads limit(started);
        barrier meet(5);
        const auto wait_again_and_again = [&](int) {
            for (int k = 0; k < 3; ++k) meet.wait();
        };
        EXPECT_EQ(thrown<out_of_memory>([&] {
                      run_team(5, wait_again_and_again);
                  }).substr(0, std::string("threads: is 5, of which the system starts 1").size()),
                  "threads: is 5, of which the system starts " + std::to_string(started + 1));
    }
}

TEST(Team, ThreadsStayAndServeAgain) {
    (void)base::end_idle_threads();
    std::mutex mutex;
    std::set<std::thread::id> met;
    for (int round = 0; round < 20; ++round) {
        const few_threads limit(round == 0 ? 3 : 0);  // no later call starts a thread
        barrier all(4);  // each rank has begun: the caller makes no call for another thread
        run_team(4, [&](int) {
            all.wait();
            const std::scoped_lock lock(mutex);
            met.insert(std::this_thread::get_id());
        });
        EXPECT_EQ(text_of_failure(3,
                                  [](int rank) {
                                      if (rank == 2) throw std::runtime_error("again");
                                  }),
                  "again");
    }
    EXPECT_EQ(met.size(), 4U);
    EXPECT_EQ(base::end_idle_threads(), 3);
    EXPECT_EQ(base::end_idle_threads(), 0);
}

/// Several threads of the host program call at once, and ranks begin teams of their own.
TEST(Team, NestsAndServesSeveralCallers) {
    std::atomic<int> calls{0};
    std::vector<std::jthread> callers;
    for (int c = 0; c < 4; ++c)
        callers.emplace_back([&] {
            for (int round = 0; round < 50; ++round)
                run_team(3, [&](int) { run_team(2, [&](int) { ++calls; }); });
        });
    callers.clear();
    EXPECT_EQ(calls, 4 * 50 * 6);
}

/// The threads of the parent do not exist in a forked child, which starts threads of its own.
TEST(Team, AForkedChildBeginsWithNewThreads) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer ends a forked child that starts threads";
#endif
    run_team(3, [](int) {});
    const pid_t child = fork();
    if (child == 0) {
        std::atomic<int> calls{0};
        for (int round = 0; round < 3; ++round) run_team(4, [&](int) { ++calls; });
        _exit(calls == 12 && base::end_idle_threads() == 3 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    run_team(3, [](int) {});
}

/// Threads that stay follow the caller from one set of processors to another.
TEST(Team, RunsWhereTheCallerMayRun) {
    cpu_set_t before, one, there;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    run_team(2, [](int) {});
    for (int p = 0, left = 2; p < CPU_SETSIZE && left > 0; ++p) {
        if (!CPU_ISSET(p, &before)) continue;
        --left;
        CPU_ZERO(&one);
        CPU_SET(p, &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        run_team(2, [&](int rank) {
            if (rank == 1) (void)sched_getaffinity(0, sizeof there, &there);
        });
        EXPECT_TRUE(CPU_EQUAL(&one, &there));
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

/// Of four processors or more a thread leaves one to the caller, who runs there when the team starts.
TEST(Team, LeavesTheCallerItsProcessor) {
    cpu_set_t here, there;
    ASSERT_EQ(sched_getaffinity(0, sizeof here, &here), 0);
    if (CPU_COUNT(&here) < 2) GTEST_SKIP() << "one processor";
    std::atomic<bool> asked = false;
    run_team(2, [&](int rank) {
        if (rank == 1) {
            (void)sched_getaffinity(0, sizeof there, &there);
            asked = true;
        }
        while (!asked) std::this_thread::yield();  // else the caller may make the call of rank 1
    });
    EXPECT_EQ(CPU_COUNT(&there), CPU_COUNT(&here) - (CPU_COUNT(&here) >= 4 ? 1 : 0));
    CPU_OR(&there, &there, &here);
    EXPECT_TRUE(CPU_EQUAL(&there, &here));
}

TEST(Team, RanksEndWhereTheSystemRefusesAThread) {
    for (const int started : {0, 1, 2}) {
        const few_threads limit(started);
        const auto pass_round = [](const ranks& r) { (void)r.any(false); };
        EXPECT_NE(thrown<out_of_memory>([&] {
                      run_ranks(3, pass_round);
                  }).find("the system starts " + std::to_string(started)),
                  std::string::npos);
    }
}

TEST(Team, Size) {
    EXPECT_EQ(team_size(4, 100), 4);
    EXPECT_EQ(team_size(4, 3), 3);
    EXPECT_EQ(team_size(4, 0), 1);
    EXPECT_EQ(team_size(0, 1'000'000), available_threads());
}

/// What a team without a number takes where the environment says so.
int size_with(const char* own, const char* openmp) {
    own ? setenv("WALE_NUM_THREADS", own, 1) : unsetenv("WALE_NUM_THREADS");
    openmp ? setenv("OMP_NUM_THREADS", openmp, 1) : unsetenv("OMP_NUM_THREADS");
    int size = -1;
    try {
        size = team_size(0, 1'000'000);
    } catch (const bad_argument& e) {
        EXPECT_NE(std::string(e.what()).find("_NUM_THREADS: is '"), std::string::npos) << e.what();
    }
    unsetenv("WALE_NUM_THREADS");
    unsetenv("OMP_NUM_THREADS");
    return size;
}

TEST(Team, SizeOfTheEnvironment) {
    EXPECT_EQ(size_with("3", nullptr), 3);
    EXPECT_EQ(size_with(nullptr, "5"), 5);
    EXPECT_EQ(size_with(nullptr, " 6,2"), 6);
    EXPECT_EQ(size_with("3", "5"), 3);
    EXPECT_EQ(size_with("3", "many"), 3);
    EXPECT_EQ(size_with("", ""), available_threads());
    for (const char* bad : {"0", "-1", "many", "4097", "2.5", "3x", "3,2"})
        EXPECT_EQ(size_with(bad, "2"), -1) << bad;
    EXPECT_EQ(size_with(nullptr, "x"), -1);
}

}  // namespace
}  // namespace wale::cpu
