// ready_rows_model_test - all interleavings of the row protocol on small grids. The text under test is
// schedule::ready_rows itself; its Sync hands every operation to an explorer, which decides who goes next.
//
// A worker is a function of the results of its operations. To continue one, the explorer runs it from its
// start with the results so far, until it asks for an operation that has none: no coroutines, and a state is
// copied by copying numbers. States met before are not entered again. Operations take effect in one order
// that all see: this finds errors of the protocol. Of the memory orders the explorer only demands that a
// row's counter is stored by a release and loaded by an acquire; ThreadSanitizer runs ready_rows_test.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <vector>

#include "schedule/ready_rows.hpp"

namespace wale::schedule {
namespace {

enum class action { fetch_add, load, store, work };

struct operation {
    action what;
    int word = 0;             // of memory; work: the tile
    std::uint32_t value = 0;  // to be stored
    bool relaxed = false;
};

struct needs_result {};  // thrown where a worker's recorded results end

/// The results of one worker's operations, played back.
struct player {
    const std::vector<std::uint32_t>* results;
    std::size_t at = 0;
    operation next{};
    std::uint32_t ask(const operation& o) {
        if (at < results->size()) return (*results)[at++];
        next = o;
        throw needs_result();
    }
};
thread_local player* playing = nullptr;

/// Words are numbers into the explorer's memory: their addresses are never read.
struct model_sync {
    struct word {
        char unused;
    };
    static inline word words[16];
    static constexpr std::uint32_t spin_limit = 1u << 30;  // the explorer sees that a wait is for ever
    static int number(const word* w) { return static_cast<int>(w - words); }
    static std::uint32_t fetch_add(word* w) { return playing->ask({action::fetch_add, number(w)}); }
    static std::uint32_t load_acquire(word* w) { return playing->ask({action::load, number(w)}); }
    static std::uint32_t load_relaxed(word* w) { return playing->ask({action::load, number(w), 0, true}); }
    static void store_release(word* w, std::uint32_t v) { (void)playing->ask({action::store, number(w), v}); }
    static void store_relaxed(word* w, std::uint32_t v) {
        (void)playing->ask({action::store, number(w), v, true});
    }
    static void pause(std::uint32_t) {}
};

constexpr int ticket = 0, failed = 1, first_row = 2;  // words

struct grid {
    int rows, tiles;
    int ahead = 0;  // tiles that a tile needs above beyond the one over it
    void work(int row, int tile) const { (void)playing->ask({action::work, row * tiles + tile}); }
    std::uint32_t needs(int tile) const {
        return static_cast<std::uint32_t>(std::min(tile + 1 + ahead, tiles));
    }
};

using protocol = ready_rows<model_sync>;
using program = std::function<void(const protocol&, const grid&, int rank)>;

void go_through_row(const protocol& p, const grid& g, int row) {
    for (int t = 0; t < g.tiles; ++t) {
        if (row > 0 && !p.wait(row - 1, g.needs(t))) return;
        g.work(row, t);
        p.publish(row, static_cast<std::uint32_t>(t + 1));
    }
}

void by_ticket(const protocol& p, const grid& g, int) {
    for (int r = p.take(g.rows); r >= 0; r = p.take(g.rows)) go_through_row(p, g, r);
}

void by_block_index(const protocol& p, const grid& g, int rank) {
    go_through_row(p, g, rank);
}

void published_too_early(const protocol& p, const grid& g, int) {
    for (int r = p.take(g.rows); r >= 0; r = p.take(g.rows))
        for (int t = 0; t < g.tiles; ++t) {
            if (r > 0 && !p.wait(r - 1, g.needs(t))) return;
            p.publish(r, static_cast<std::uint32_t>(t + 1));
            g.work(r, t);
        }
}

void waits_for_one_too_few(const protocol& p, const grid& g, int) {
    for (int r = p.take(g.rows); r >= 0; r = p.take(g.rows))
        for (int t = 0; t < g.tiles; ++t) {
            if (r > 0 && !p.wait(r - 1, g.needs(t) - 1)) return;
            g.work(r, t);
            p.publish(r, static_cast<std::uint32_t>(t + 1));
        }
}

struct worker_state {
    std::vector<std::uint32_t> results;
    std::array<int, 5> digest{};  // takes, works, stores, last ticket, last load: where it is in its program
    bool started = false, finished = false;
    operation next{};
    int last_load_word = -1;
};

struct state {
    std::array<std::uint32_t, 16> memory{};
    std::vector<int> done;  // times each tile was worked on
    std::vector<worker_state> workers;
};

class explorer {
public:
    explorer(program p, grid g, int workers, int resident)
        : program_(std::move(p)), grid_(g), workers_(workers), resident_(resident) {}

    /// What goes wrong in some interleaving; empty if nothing does in any.
    std::string run() {
        state s;
        s.done.assign(static_cast<std::size_t>(grid_.rows * grid_.tiles), 0);
        s.workers.resize(static_cast<std::size_t>(workers_));
        visit(s);
        return violation_;
    }
    [[nodiscard]] std::size_t states() const { return seen_.size(); }

private:
    /// Finds the operation that worker w wants next, or that it has ended.
    void play(worker_state& w, int rank) const {
        player p{&w.results};
        playing = &p;
        const protocol rows{&model_sync::words[ticket], &model_sync::words[first_row],
                            &model_sync::words[failed]};
        try {
            program_(rows, grid_, rank);
            w.finished = true;
        } catch (const needs_result&) {
            w.next = p.next;
        }
        w.started = true;
    }

    [[nodiscard]] bool enabled(const state& s, const worker_state& w) const {
        if (w.finished) return false;
        if (!w.started) {
            const auto runs = [](const worker_state& o) { return o.started && !o.finished; };
            return std::count_if(s.workers.begin(), s.workers.end(), runs) < resident_;
        }
        // A poll of a word that has not changed since the last poll changes nothing.
        const auto word = static_cast<std::size_t>(w.next.word);
        return !(w.next.what == action::load && w.next.word >= first_row && w.last_load_word == w.next.word &&
                 s.memory[word] == static_cast<std::uint32_t>(w.digest[4]));
    }

    void check_tile(state& s, int tile) {
        const int row = tile / grid_.tiles, column = tile % grid_.tiles;
        const auto done = [&](int r, int c) { return s.done[static_cast<std::size_t>(r * grid_.tiles + c)]; };
        const int above = std::min(column + grid_.ahead, grid_.tiles - 1);
        if ((row > 0 && done(row - 1, above) == 0) || (column > 0 && done(row, column - 1) == 0))
            violation_ = "a tile ran before its neighbours";
        if (++s.done[static_cast<std::size_t>(tile)] > 1) violation_ = "a tile ran twice";
    }

    void perform(state& s, worker_state& w) {
        std::uint32_t& word =
            s.memory[static_cast<std::size_t>(w.next.what == action::work ? 0 : w.next.word)];
        std::uint32_t result = 0;
        if (w.next.relaxed && w.next.word >= first_row)
            violation_ = "a row's counter without release or acquire";
        switch (w.next.what) {
            case action::fetch_add:
                result = word++;
                ++w.digest[0];
                w.digest[3] = static_cast<int>(result);
                break;
            case action::load:
                result = word;
                if (w.next.word >= first_row) {
                    w.last_load_word = w.next.word;
                    w.digest[4] = static_cast<int>(result);
                }
                break;
            case action::store:
                word = w.next.value;
                ++w.digest[2];
                break;
            case action::work:
                check_tile(s, w.next.word);
                ++w.digest[1];
                w.last_load_word = -1;
                break;
        }
        w.results.push_back(result);
    }

    [[nodiscard]] static std::vector<int> key(const state& s) {
        std::vector<int> k(s.done);
        for (const std::uint32_t m : s.memory) k.push_back(static_cast<int>(m));
        for (const worker_state& w : s.workers) {
            k.insert(k.end(), w.digest.begin(), w.digest.end());
            for (const int x : {int{w.started}, int{w.finished}, static_cast<int>(w.next.what), w.next.word,
                                w.last_load_word})
                k.push_back(x);
        }
        return k;
    }

    void visit(const state& s) {
        if (!violation_.empty() || !seen_.insert(key(s)).second) return;
        bool someone = false, all_finished = true;
        for (std::size_t k = 0; k < s.workers.size(); ++k) {
            all_finished = all_finished && s.workers[k].finished;
            if (!enabled(s, s.workers[k])) continue;
            someone = true;
            state after = s;
            worker_state& w = after.workers[k];
            if (w.started) perform(after, w);
            play(w, static_cast<int>(k));
            visit(after);
        }
        if (!violation_.empty() || someone) return;
        if (!all_finished)
            violation_ = "deadlock";
        else if (std::count(s.done.begin(), s.done.end(), 1) != std::ssize(s.done))
            violation_ = "a tile never ran";
    }

    program program_;
    grid grid_;
    int workers_, resident_;
    std::set<std::vector<int>> seen_;
    std::string violation_;
};

TEST(ReadyRowsModel, NoInterleavingGoesWrong) {
    for (const grid& g : {grid{1, 1}, {2, 2}, {3, 3}, {3, 3, 1}, {4, 2}, {2, 4, 2}})
        for (const int workers : {1, 2, 3})
            for (int resident = 1; resident <= workers; ++resident) {
                explorer e(by_ticket, g, workers, resident);
                EXPECT_EQ(e.run(), "") << g.rows << " x " << g.tiles << " tiles, " << workers << " workers, "
                                       << resident << " resident";
                if (g.rows == 3 && workers == 3 && resident == 3) {
                    EXPECT_GT(e.states(), 1000u) << "the explorer saw too little to be believed";
                }
            }
}

TEST(ReadyRowsModel, PublishingBeforeTheWorkIsFound) {
    EXPECT_EQ(explorer(published_too_early, {2, 2}, 2, 2).run(), "a tile ran before its neighbours");
    EXPECT_EQ(explorer(published_too_early, {2, 2}, 1, 1).run(), "") << "one worker cannot show it";
}

TEST(ReadyRowsModel, WaitingForTooLittleIsFound) {
    EXPECT_EQ(explorer(waits_for_one_too_few, {2, 2}, 2, 2).run(), "a tile ran before its neighbours");
}

TEST(ReadyRowsModel, RowsByBlockIndexNeedAllBlocksResident) {
    EXPECT_EQ(explorer(by_block_index, {3, 2}, 3, 3).run(), "");
    EXPECT_EQ(explorer(by_block_index, {3, 2}, 3, 1).run(), "deadlock");
    EXPECT_EQ(explorer(by_block_index, {3, 2}, 3, 2).run(), "deadlock");
}

TEST(ReadyRowsModel, TooFewBlocksLeaveTilesUndone) {
    EXPECT_EQ(explorer(by_block_index, {3, 2}, 2, 2).run(), "a tile never ran");
}

}  // namespace
}  // namespace wale::schedule
