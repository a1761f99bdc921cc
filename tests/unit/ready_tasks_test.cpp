// ready_tasks_test - chunks of shared loops and tasks of a team: each once, and after what it reads.
#include "cpu/ready_tasks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpu/shared_loops.hpp"
#include "cpu/team.hpp"
#include "unit/thrown.hpp"

namespace wale::cpu {
namespace {

TEST(SharedLoops, EveryChunkOnceWhoeverHelps) {
    constexpr int threads = 4, loops = 300, most = 40;
    shared_loops shared(threads);
    std::atomic<int> owners = 2;
    std::vector<std::vector<int>> sums(2, std::vector<int>(most));
    run_team(threads, [&](int rank) {
        if (rank < 2) {
            for (int l = 0; l < loops; ++l) {
                std::vector<int> met(static_cast<std::size_t>(1 + l % most));
                shared.run(rank, static_cast<int>(met.size()),
                           [&](int i) { ++met[static_cast<std::size_t>(i)]; });
                for (std::size_t i = 0; i < met.size(); ++i)
                    sums[static_cast<std::size_t>(rank)][i] += met[i] == 1;
            }
            --owners;
        } else {
            while (owners.load() > 0)
                if (!shared.help()) std::this_thread::yield();
        }
    });
    for (const auto& sum : sums)
        for (int i = 0; i < most; ++i) {
            int expected = 0;
            for (int l = 0; l < loops; ++l) expected += l % most >= i;
            EXPECT_EQ(sum[static_cast<std::size_t>(i)], expected);
        }
    EXPECT_FALSE(shared.help());
}

/// Tasks of a grid, each after those above and left of it: a task adds what both have.
class grid_of_tasks {
public:
    static constexpr index_t side = 24;

    void run(int threads) {
        shared_loops loops(threads);
        ready_tasks tasks(side * side);
        run_team(threads, [&](int rank) {
            const auto next = [&] {
                return tasks.take([&](index_t t) { return is_ready(t); }, [] { return side * side; },
                                  [&] { return loops.help(); });
            };
            for (index_t t = next(); t >= 0; t = next()) work(t, loops, rank);
        });
        EXPECT_FALSE(tasks.failed());
    }
    [[nodiscard]] std::int64_t sum(index_t row, index_t column) const {
        return sums_[static_cast<std::size_t>(row * side + column)];
    }
    std::function<void(index_t)> before = [](index_t) {};

private:
    bool is_ready(index_t t) const {
        return (t < side || is_done(t - side)) && (t % side == 0 || is_done(t - 1));
    }
    [[nodiscard]] bool is_done(index_t t) const {
        return done_[static_cast<std::size_t>(t)].load(std::memory_order_acquire) != 0;
    }
    void work(index_t t, shared_loops& loops, int owner) {
        before(t);
        std::array<std::int64_t, 4> parts{};
        loops.run(owner, 4, [&](int i) {
            const index_t from = i % 2 == 0 ? t - side : t - 1;
            const bool inside = i % 2 == 0 ? t >= side : t % side != 0;
            parts[static_cast<std::size_t>(i)] = inside ? sum(from / side, from % side) : t == 0 ? 1 : 0;
        });
        sums_[static_cast<std::size_t>(t)] += (parts[0] + parts[1] + parts[2] + parts[3]) % 1000003;
        done_[static_cast<std::size_t>(t)].fetch_add(1, std::memory_order_release);
    }

    std::vector<std::int64_t> sums_ = std::vector<std::int64_t>(side * side);
    std::vector<std::atomic<int>> done_ = std::vector<std::atomic<int>>(side * side);
};

TEST(ReadyTasks, EachOnceAndAfterWhatItReads) {
    grid_of_tasks one;
    one.run(1);
    EXPECT_EQ(one.sum(0, 1), 8);
    for (const int threads : {2, 4, 9})
        for (int repeat = 0; repeat < 20; ++repeat) {
            grid_of_tasks many;
            many.run(threads);
            for (index_t t = 0; t < grid_of_tasks::side * grid_of_tasks::side; ++t)
                ASSERT_EQ(many.sum(t / many.side, t % many.side), one.sum(t / many.side, t % many.side)) << t;
        }
}

TEST(ReadyTasks, EndWhereATaskThrows) {
    for (const int threads : {1, 4}) {
        grid_of_tasks grid;
        grid.before = [](index_t t) {
            if (t == 200) throw std::runtime_error("of task 200");
        };
        EXPECT_EQ(thrown<std::runtime_error>([&] { grid.run(threads); }), "of task 200");
    }
}

}  // namespace
}  // namespace wale::cpu
