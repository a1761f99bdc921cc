// turns - a team whose threads share processors with threads that never sleep, such as those of OpenBLAS,
// which look for work for 0.1 s after a call. The system takes a processor from a thread that has had it for
// some milliseconds, wherever the thread is; a thread that rests between tasks before that loses it nowhere
// else.
#pragma once

#include <atomic>

#include "cpu/team.hpp"

namespace wale::cpu {

/// Who does what: a rank that has lost its processor lately returns from its work after a while, and rank 0
/// ends the turn once such ranks have rested as long; in the next turn all work again. What it waits for:
/// nothing; a turn ends when all ranks have returned, as run_team does. Why it cannot deadlock: rank 0 works
/// in every turn until the work is done. Why this order: run_team orders one turn before the next; the flags
/// say when to return and hand over no data.
class turns {
public:
    explicit turns(int size) : size_(size) {}

    /// Calls work(rank) as run_team does, again and again until a rank returns true: nothing is left to do.
    template <class Work>
    void run(const Work& work) {
        for (std::atomic<bool> done = false; !done;) {
            resting_ = 0;
            over_ = false;
            run_team(size_, [&](int rank) {
                begin(rank);
                if (work(rank)) done.store(true, std::memory_order_relaxed);
                end();
            });
        }
    }
    /// Whether the rank's work is to return false now. To be asked between tasks; reads a clock.
    [[nodiscard]] bool over(int rank) {
        return size_ > 1 && (over_.load(std::memory_order_relaxed) || ends(rank));
    }

private:
    void begin(int rank) const;
    void end() const;
    bool ends(int rank);

    const int size_;
    std::atomic<int> resting_ = 0;
    std::atomic<bool> over_ = false;
};

}  // namespace wale::cpu
