// euler_resident_test - the plan of cuda/resident: who has which cell, what every slot holds, what parts send
// each other; and the exchange between parts, by threads and by all interleavings.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <vector>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

#include "agreement/flow_meshes.hpp"
#include "solvers/euler/advance/cuda/resident/exchange.hpp"
#include "solvers/euler/advance/cuda/resident/pairing.hpp"
#include "solvers/euler/advance/cuda/resident/plan.hpp"

namespace wale::euler::resident {
namespace {

using agreement::first_cells;
using agreement::shell;

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

std::vector<std::int32_t> parts_at_random(index_t cells, int parts, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::int32_t> part(at(cells));
    for (std::int32_t& p : part) p = static_cast<std::int32_t>(random() % static_cast<unsigned>(parts));
    return part;
}

constexpr int constants = 16;

/// The cell that a slot of part p holds; a constant c as -1 - c; -1000: nothing.
std::vector<std::int32_t> held(const plan& q, int p) {
    std::vector<std::int32_t> cell(at(q.slots), -1000);
    for (int t = 0; t < q.shape.pairs; ++t)
        for (int side = 0; side < 2; ++side)
            if (const std::int32_t c = q.cell[q.at(p, 2, side, t)]; c >= 0)
                cell[at(side * q.shape.pairs + t)] = c;
    for (int c = 0; c < constants; ++c) cell[at(2 * q.shape.pairs + c)] = -1 - c;
    for (std::int32_t h = q.halo[at(p)]; h < q.halo[at(p) + 1]; ++h)
        cell[at(q.halo_slot + h - q.halo[at(p)])] = q.source[at(h)];
    return cell;
}

/// Every row of the mesh is some pair's face, once for each side, and leads to the slot of what it sees.
void check_plan(const mesh& m, const std::vector<std::int32_t>& part, const plan& q) {
    std::vector<int> cells(at(m.cells()), 0), rows(at(m.rows()), 0);
    for (int p = 0; p < q.shape.parts; ++p) {
        const std::vector<std::int32_t> cell = held(q, p);
        for (int t = 0; t < q.shape.pairs; ++t) {
            const std::int32_t a = q.cell[q.at(p, 2, 0, t)], b = q.cell[q.at(p, 2, 1, t)];
            for (const std::int32_t c : {a, b}) {
                if (c < 0) continue;
                ++cells[at(c)];
                ASSERT_EQ(part[at(c)], p);
            }
            for (int f = 0; f < pair_faces; ++f) {
                const index_t row = q.row[q.at(p, pair_faces, f, t)];
                if (row == no_row) continue;
                ++rows[at(row)];
                const std::int32_t own = f < 3 || f == outer_faces ? a : b, behind = m.neighbour[at(row)];
                ASSERT_TRUE(row >= m.first_face[at(own)] && row < m.first_face[at(own) + 1]);
                const std::int32_t seen = cell[at(q.slot[q.at(p, pair_faces, f, t)])];
                ASSERT_EQ(seen, is_patch(behind) ? -1 - patch_of(behind) % constants : behind);
                if (f < outer_faces || b < 0) continue;
                ASSERT_EQ(behind, b);
                const index_t back = m.first_face[at(b)] + m.opposite[at(row)];
                ++rows[at(back)];
                ASSERT_EQ(m.neighbour[at(back)], a);
            }
            for (int side = 0; side < 2 && t >= q.talking[at(p)]; ++side)
                ASSERT_EQ(q.post[q.at(p, 2, side, t)], q.post[q.at(p, 2, side, t) + 1])
                    << "a quiet pair talks";
            for (const int first : {0, 3}) {
                const auto late = [&](int f) { return q.slot[q.at(p, pair_faces, f, t)] >= q.halo_slot; };
                ASSERT_TRUE(late(first) <= late(first + 1) && late(first + 1) <= late(first + 2));
            }
        }
    }
    EXPECT_TRUE(std::ranges::all_of(cells, [](int n) { return n == 1; }));
    EXPECT_TRUE(std::ranges::all_of(rows, [](int n) { return n == 1; }));
}

/// Every place of the mailbox is written once, by the cell whose state another part wants there.
void check_sendings(const std::vector<std::int32_t>& part, const plan& q) {
    std::vector<int> written(at(q.places()), 0);
    for (std::size_t i = 0; i < q.cell.size(); ++i)
        for (std::int32_t s = q.post[i]; s < q.post[i + 1]; ++s) {
            const std::int32_t place = q.posted[at(s)], c = q.cell[i];
            ++written[at(place)];
            ASSERT_EQ(c, q.source[at(place)]);
            const auto reader = std::ranges::upper_bound(q.halo, place) - q.halo.begin() - 1;
            ASSERT_NE(part[at(c)], reader) << "a part sends to itself";
        }
    EXPECT_TRUE(std::ranges::all_of(written, [](int n) { return n == 1; }));
}

plan planned(const mesh& m, const std::vector<std::int32_t>& part, int parts, int pairs) {
    std::vector<int> constant;
    for (std::size_t p = 0; p < m.patches.size(); ++p) constant.push_back(static_cast<int>(p) % constants);
    return make_plan(m, part, constant, {parts, pairs, constants});
}

void check(const mesh& m, const std::vector<std::int32_t>& part, int parts, int pairs) {
    const plan q = planned(m, part, parts, pairs);
    check_plan(m, part, q);
    check_sendings(part, q);
}

TEST(EulerResidentPlan, HoldsEveryCellAndFaceOnce) {
    const mesh m = shell(3000);
    for (const int parts : {1, 2, 5, 13}) {
        std::vector<std::int32_t> part = partition(m, parts);
        check(m, part, parts, static_cast<int>(m.cells() / parts / 2 + 64) / 32 * 32 + 32);
    }
}

TEST(EulerResidentPlan, TakesAnyPartsAndSizes) {
    const mesh m = shell(3000);
    for (const index_t cells : {1, 2, 3, 7, 31, 32, 33, 100, 257}) {
        const mesh some = first_cells(m, cells, "cut");
        for (const int parts : {1, 2, 3}) check(some, parts_at_random(cells, parts, 7), parts, 288);
    }
}

TEST(EulerResidentPlan, NeighboursThatOnlyOneSideNamesAreToldBothWays) {
    mesh m = first_cells(shell(500), 40, "cut");
    for (index_t r = 0; r < m.rows(); r += 5)
        if (!is_patch(m.neighbour[at(r)])) m.neighbour[at(r)] = (m.neighbour[at(r)] + 11) % 40;
    const std::vector<std::int32_t> part = parts_at_random(40, 3, 5);
    const plan q = planned(m, part, 3, 64);
    check_sendings(part, q);
    std::set<std::pair<std::int32_t, std::int32_t>> sends;  // part, part
    for (int p = 0; p < 3; ++p)
        for (std::int32_t h = q.halo[at(p)]; h < q.halo[at(p) + 1]; ++h)
            sends.insert({part[at(q.source[at(h)])], p});
    for (const auto& [from, to] : sends) EXPECT_TRUE(sends.contains({to, from}));
}

TEST(EulerResidentPlan, RefusesPartsThatDoNotFit) {
    const mesh m = shell(500);
    EXPECT_THROW((void)planned(m, std::vector<std::int32_t>(at(m.cells()), 0), 1, 32), unsupported_variant);
}

TEST(EulerResidentPlan, LevelsParts) {
    const mesh m = shell(3000);
    std::vector<std::int32_t> part = partition(m, 6);
    for (std::size_t c = 0; c < part.size(); ++c)
        if (part[c] == 3 && c % 2 == 0) part[c] = 2;  // 2 is too large now
    const int most = static_cast<int>(m.cells() / 6 + 30);
    level(m, part, 6, most);
    std::vector<int> size(6, 0);
    for (const std::int32_t p : part) ++size[at(p)];
    EXPECT_LE(std::ranges::max(size), most);
}

TEST(EulerResidentPlan, PairsNearlyAll) {
    const mesh m = shell(20000);
    const int parts = 27;
    const std::vector<std::int32_t> part = partition(m, parts);
    const plan q = planned(m, part, parts, 512);
    index_t lone = 0;
    for (int p = 0; p < parts; ++p)
        for (int t = 0; t < 512; ++t)
            lone += q.cell[q.at(p, 2, 0, t)] >= 0 && q.cell[q.at(p, 2, 1, t)] < 0 ? 1 : 0;
    EXPECT_LT(lone, m.cells() / 100);
}

TEST(EulerResidentPairing, TurnsPathsRound) {
    // A path of six: greedy from the middle would leave the ends single.
    pairing_graph g;
    for (std::int32_t v = 0; v < 6; ++v) g.neighbours.push_back({v - 1, v < 5 ? v + 1 : -1, -1, -1});
    g.alike = {0, 0, 1, 1, 0, 0};
    const std::vector<std::int32_t> partner = paired(g);
    EXPECT_EQ(std::ranges::count(partner, -1), 0);
}

// The exchange by threads: a part a thread, an integer a cell, each step a sum over neighbours.

template <std::uint32_t Limit>
struct thread_sync {
    using word = std::atomic<std::uint32_t>;
    static constexpr std::uint32_t spin_limit = Limit;
    static std::uint32_t load_relaxed(const word* w) { return w->load(std::memory_order_relaxed); }
    static void store_relaxed(word* w, std::uint32_t v) { w->store(v, std::memory_order_relaxed); }
    static void pause(std::uint32_t) { std::this_thread::yield(); }
};

struct thread_box {
    std::vector<std::atomic<std::uint64_t>> words;  // epoch above, value below
    explicit thread_box(index_t places) : words(2 * at(places)) {}
};

struct thread_packet {
    const std::atomic<std::uint64_t>* word;
    std::uint32_t value = 0;
    bool poll(std::uint32_t epoch) {
        const std::uint64_t w = word->load(std::memory_order_relaxed);
        value = static_cast<std::uint32_t>(w);
        return w >> 32 == epoch;
    }
};

class ring_of_threads {
public:
    ring_of_threads(const mesh& m, const plan& q) : m_(m), q_(q), box_(q.places()), value_(at(m.cells())) {
        std::iota(value_.begin(), value_.end(), 1u);
    }

    /// `lost`: a place whose packets never arrive; -1: none. Whether all went well.
    template <std::uint32_t Limit = 1u << 30>
    bool run(std::uint32_t steps, index_t lost = -1) {
        std::vector<std::thread> team;
        std::atomic<std::uint32_t> failed{0};
        for (int p = 0; p < q_.shape.parts; ++p)
            team.emplace_back([&, p] { work<Limit>(p, steps, lost, failed); });
        for (std::thread& t : team) t.join();
        first_ += steps;
        return failed == 0;
    }
    /// The same, one thread, no parts.
    void expect(std::uint32_t steps) const {
        std::vector<std::uint32_t> v(value_.size());
        std::iota(v.begin(), v.end(), 1u);
        for (std::uint32_t s = 0; s < steps; ++s) {
            std::vector<std::uint32_t> next = v;
            for (index_t c = 0; c < m_.cells(); ++c)
                for (index_t r = m_.first_face[at(c)]; r < m_.first_face[at(c) + 1]; ++r)
                    if (!is_patch(m_.neighbour[at(r)])) next[at(c)] += 3 * v[at(m_.neighbour[at(r)])];
            v = next;
        }
        EXPECT_EQ(value_, v);
    }

private:
    template <std::uint32_t Limit>
    void work(int p, std::uint32_t steps, index_t lost, std::atomic<std::uint32_t>& failed) {
        const std::vector<std::int32_t> cell = held(q_, p);
        std::vector<std::uint32_t> now(cell.size(), 0);
        for (std::size_t s = 0; s < at(q_.halo_slot); ++s)
            if (cell[s] >= 0) now[s] = value_[at(cell[s])];
        const epochs tags{first_};
        for (std::uint32_t step = 0; step < steps; ++step) {
            const std::uint32_t epoch = tags.of(step);
            const std::size_t box = epochs::box(epoch) * at(q_.places());
            for (int slot = 0; slot < 2 * q_.shape.pairs; ++slot) {
                const std::size_t cell_at = q_.at(p, 2, 0, 0) + at(slot);
                for (std::int32_t i = q_.post[cell_at]; i < q_.post[cell_at + 1]; ++i)
                    if (const std::int32_t place = q_.posted[at(i)]; place != lost)
                        box_.words[box + at(place)].store(std::uint64_t{epoch} << 32 | now[at(slot)],
                                                          std::memory_order_relaxed);
            }
            for (std::int32_t h = q_.halo[at(p)]; h < q_.halo[at(p) + 1]; ++h) {
                thread_packet in{&box_.words[box + at(h)]};
                if (!take<thread_sync<Limit>>(in, epoch, &failed)) return;
                now[at(q_.halo_slot + h - q_.halo[at(p)])] = in.value;
            }
            advance(p, now);
        }
        for (std::size_t s = 0; s < at(q_.halo_slot); ++s)
            if (cell[s] >= 0) value_[at(cell[s])] = now[s];
    }
    void advance(int p, std::vector<std::uint32_t>& now) const {
        std::vector<std::uint32_t> next = now;
        const auto add = [&](int to, int from) { next[at(to)] += 3 * now[at(from)]; };
        for (int t = 0; t < q_.shape.pairs; ++t)
            for (int f = 0; f < pair_faces; ++f) {
                const index_t row = q_.row[q_.at(p, pair_faces, f, t)];
                if (row == no_row || is_patch(m_.neighbour[at(row)])) continue;
                const int slot = q_.slot[q_.at(p, pair_faces, f, t)];
                add(f < 3 || f == outer_faces ? t : q_.shape.pairs + t, slot);
                if (f == outer_faces && q_.cell[q_.at(p, 2, 1, t)] >= 0) add(q_.shape.pairs + t, t);
            }
        now = next;
    }

    const mesh& m_;
    const plan& q_;
    thread_box box_;
    std::vector<std::uint32_t> value_;
    std::uint32_t first_ = 1;
};

TEST(EulerResidentExchange, ByThreads) {
    const mesh m = shell(700);
    for (const int parts : {1, 2, 5}) {
        const std::vector<std::int32_t> part = partition(m, parts);
        const plan q = planned(m, part, parts, 512);
        ring_of_threads ring(m, q);
        EXPECT_TRUE(ring.run(40));
        EXPECT_TRUE(ring.run(1));  // epochs go on, boxes are not emptied
        EXPECT_TRUE(ring.run(22));
        ring.expect(63);
    }
}

TEST(EulerResidentExchange, OfPartsInAnyOrder) {
    const mesh m = shell(300);
    const std::vector<std::int32_t> part = parts_at_random(m.cells(), 7, 3);
    const plan q = planned(m, part, 7, 256);
    ring_of_threads ring(m, q);
    EXPECT_TRUE(ring.run(30));
    ring.expect(30);
}

TEST(EulerResidentExchange, ALostPacketEndsAllWaits) {
    const mesh m = shell(300);
    const std::vector<std::int32_t> part = parts_at_random(m.cells(), 4, 3);
    const plan q = planned(m, part, 4, 256);
    ring_of_threads ring(m, q);
    EXPECT_FALSE(ring.run<2000>(30, q.places() / 2));
}

// All interleavings: parts on a line post and take one packet at a time.

struct line_state {
    struct part {
        int step = 0, done = 0;  // operations of this step
        auto operator<=>(const part&) const = default;
    };
    std::vector<part> parts;
    std::vector<int> boxes;  // [2 boxes][links][direction] epoch
    auto operator<=>(const line_state&) const = default;
};

class line_explorer {
public:
    line_explorer(int parts, int steps, int boxes) : parts_(parts), steps_(steps), boxes_(boxes) {}
    /// What goes wrong in some interleaving; empty if nothing does in any.
    std::string run() {
        line_state s;
        s.parts.resize(at(parts_));
        s.boxes.assign(at(2 * 2 * parts_), 0);
        visit(s);
        return wrong_;
    }

private:
    [[nodiscard]] std::vector<int> neighbours(int p) const {
        std::vector<int> n;
        if (p > 0) n.push_back(p - 1);
        if (p + 1 < parts_) n.push_back(p + 1);
        return n;
    }
    int& word(line_state& s, int from, int to, int epoch) const {
        const int box = boxes_ == 2 ? static_cast<int>(epochs::box(static_cast<std::uint32_t>(epoch))) : 0;
        const int link = 2 * std::min(from, to) + (from < to ? 0 : 1);
        return s.boxes[at(box * 2 * parts_ + link)];
    }
    /// Part p's next operation; false: it has to wait.
    bool act(line_state& s, int p) {
        line_state::part& me = s.parts[at(p)];
        const std::vector<int> around = neighbours(p);
        const int count = static_cast<int>(around.size()), epoch = 1 + me.step;
        if (me.done < count) {
            word(s, p, around[at(me.done)], epoch) = epoch;
        } else {
            const int there = word(s, around[at(me.done - count)], p, epoch);
            if (there > epoch) wrong_ = "a packet was overwritten before it was taken";
            if (there != epoch) return false;
        }
        if (++me.done == 2 * count) me = {me.step + 1, 0};
        return true;
    }
    void visit(const line_state& s) {
        if (!wrong_.empty() || !seen_.insert(s).second) return;
        bool any = false, all_done = true;
        for (int p = 0; p < parts_; ++p) {
            if (s.parts[at(p)].step == steps_) continue;
            all_done = false;
            line_state next = s;
            if (!act(next, p)) continue;
            any = true;
            visit(next);
        }
        if (!any && !all_done && wrong_.empty()) wrong_ = "all wait";
    }
    int parts_, steps_, boxes_;
    std::set<line_state> seen_;
    std::string wrong_;
};

TEST(EulerResidentExchange, AllInterleavings) {
    for (const int parts : {2, 3, 4}) EXPECT_EQ(line_explorer(parts, 5, 2).run(), "") << parts;
}

TEST(EulerResidentExchange, OneBoxWouldNotDo) {
    EXPECT_EQ(line_explorer(3, 5, 1).run(), "a packet was overwritten before it was taken");
}

}  // namespace
}  // namespace wale::euler::resident
