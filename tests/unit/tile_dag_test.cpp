// tile_dag_test - the order of the tiles of a block LU, and the protocol by which workers share them, without
// a device: every task reads what lower tickets wrote, each tile is made once, and threads that follow the
// protocol factor a matrix whatever their number. ThreadSanitizer runs this too.
#include "schedule/tile_dag.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "cpu/ready_rows_sync.hpp"
#include "cpu/team.hpp"

namespace wale::schedule {
namespace {

using place = std::pair<index_t, index_t>;

std::vector<tile_task> all_tasks(const tile_dag& d) {
    tile_cursor cursor{d};
    std::vector<tile_task> tasks;
    for (index_t t = 0; t < d.count(); ++t) tasks.push_back(cursor.at(t));
    return tasks;
}

/// The tiles that a task reads besides its own.
std::vector<place> reads(const tile_task& t) {
    std::vector<place> from;
    for (index_t k = t.first; k < t.level; ++k) {
        from.emplace_back(t.row, k);
        from.emplace_back(k, t.column);
    }
    if (t.kind != tile_kind::diagonal) from.emplace_back(t.level, t.level);
    return from;
}

void check_order(const tile_dag& d) {
    const std::string text = std::to_string(d.rows) + " x " + std::to_string(d.columns) + " tiles";
    std::map<place, index_t> made;
    index_t ticket = 0;
    for (const tile_task& t : all_tasks(d)) {
        for (const place& p : reads(t)) {
            ASSERT_TRUE(made.contains(p)) << text << ": ticket " << ticket << " reads tile " << p.first
                                          << ", " << p.second << " too early";
        }
        ASSERT_TRUE(made.emplace(place(t.row, t.column), ticket).second) << text << ": a tile twice";
        if (d.bordered && t.kind == tile_kind::diagonal) {
            made.emplace(place(d.rows + t.level, t.level), ticket);
            made.emplace(place(t.level, d.columns + t.level), ticket);
        }
        ++ticket;
    }
    const index_t n = d.levels();
    EXPECT_EQ(std::ssize(made),
              d.rows * d.columns - (d.rows - n) * (d.columns - n) + (d.bordered ? n * (n + 1) : 0))
        << text;
}

TEST(TileDag, EveryTaskReadsTilesOfLowerTicketsAndEachTileIsMadeOnce) {
    for (index_t rows = 0; rows <= 9; ++rows)
        for (index_t columns = 0; columns <= 9; ++columns) check_order({rows, columns, false});
    for (index_t n = 0; n <= 9; ++n) check_order({n, n, true});
    check_order({40, 40, false});
    check_order({3, 70, false});
    check_order({70, 3, false});
}

TEST(TileDag, TheDiagonalRunsAhead) {
    const std::vector<tile_task> tasks = all_tasks({5, 5, false});
    EXPECT_EQ(tasks[3].kind, tile_kind::diagonal);
    EXPECT_EQ(tasks[3].level, 1);
}

TEST(TileDag, CountersOfARowAndOfAColumnOnlyGrow) {
    for (const bool bordered : {false, true}) {
        std::map<index_t, index_t> left, top;
        for (const tile_task& t : all_tasks({7, 7, bordered})) {
            auto& side = t.kind == tile_kind::lower ? left : top;
            if (t.kind == tile_kind::diagonal) continue;
            const index_t line = t.kind == tile_kind::lower ? t.row : t.column;
            if (side.contains(line)) {
                EXPECT_EQ(t.level, side[line] + 1) << line;
            }
            side[line] = t.level;
        }
    }
}

using sync = cpu::ready_rows_sync<>;
using counters = tile_counters<sync>;

/// A factorisation with tiles of one element.
struct small_lu {
    tile_dag dag;
    std::vector<double> a, lower_inverse, upper_inverse;
    std::vector<sync::word> words;

    explicit small_lu(const tile_dag& d)
        : dag(d),
          a(static_cast<std::size_t>(d.rows * d.columns)),
          lower_inverse(static_cast<std::size_t>(d.levels() * d.levels())),
          upper_inverse(lower_inverse),
          words(static_cast<std::size_t>(counters::size(d))) {
        for (index_t i = 0; i < d.rows; ++i)
            for (index_t j = 0; j < d.columns; ++j)
                at(i, j) = std::cos(static_cast<double>(3 * i + 7 * j)) +
                           (i == j ? 2.0 * double(d.rows + d.columns) : 0);
    }
    double& at(index_t r, index_t c) {
        const index_t n = dag.levels();
        if (r >= dag.rows) return upper_inverse[static_cast<std::size_t>((r - dag.rows) * n + c)];
        if (c >= dag.columns) return lower_inverse[static_cast<std::size_t>(r * n + c - dag.columns)];
        return a[static_cast<std::size_t>(r * dag.columns + c)];
    }
    bool work(const counters& with, const tile_task& t) {
        double sum = at(t.row, t.column);
        for (index_t k = t.first; k < t.level; ++k) {
            if (with.wait(with.left(t.row), k + 1) == 0 || with.wait(with.top(t.column), k + 1) == 0)
                return false;
            sum -= at(t.row, k) * at(k, t.column);
        }
        if (t.kind == tile_kind::lower) {
            if (with.wait(with.diagonals(), t.level + 1) == 0) return false;
            sum /= at(t.level, t.level);
        } else if (t.kind == tile_kind::upper) {
            if (with.wait(with.diagonals(), t.level + 1) == 0) return false;
        }
        at(t.row, t.column) = sum;
        if (t.kind == tile_kind::diagonal && dag.bordered) {
            at(dag.rows + t.level, t.level) = 1 / sum;
            at(t.level, dag.columns + t.level) = 1;
        }
        with.publish(t);
        if (t.kind == tile_kind::diagonal && dag.bordered)
            with.publish_border(dag.rows + t.level, dag.columns + t.level, t.level);
        return true;
    }
    void run(int threads) {
        const counters with(words.data(), dag);
        cpu::run_team(threads, [&](int) {
            tile_cursor cursor{dag};
            for (index_t t = with.take(); t < dag.count(); t = with.take())
                if (!work(with, cursor.at(t))) return;
        });
        EXPECT_EQ(with.failed()->value, 0u);
    }
};

/// |L U - A| and, of the border, |inv(L) L - I| and |U inv(U) - I|, the largest element.
double error_of(small_lu& f, const small_lu& before) {
    double worst = 0;
    small_lu original = before;
    const index_t n = f.dag.levels();
    const auto l = [&](index_t i, index_t k) { return i == k ? 1 : i > k ? f.at(i, k) : 0; };
    const auto u = [&](index_t k, index_t j) { return k <= j ? f.at(k, j) : 0; };
    for (index_t i = 0; i < f.dag.rows; ++i)
        for (index_t j = 0; j < f.dag.columns; ++j) {
            double sum = -original.at(i, j);
            for (index_t k = 0; k < n; ++k) sum += l(i, k) * u(k, j);
            worst = std::max(worst, std::fabs(sum));
        }
    for (index_t i = 0; i < n && f.dag.bordered; ++i)
        for (index_t j = 0; j < n; ++j) {
            double lower = i == j ? -1 : 0, upper = lower;
            for (index_t k = 0; k < n; ++k) {
                lower += (k <= i ? f.at(i, f.dag.columns + k) : 0) * l(k, j);
                upper += u(i, k) * (k <= j ? f.at(f.dag.rows + k, j) : 0);
            }
            worst = std::max({worst, std::fabs(lower), std::fabs(upper)});
        }
    return worst;
}

TEST(TileDag, ThreadsFactor) {
    for (const int threads : {1, 2, 5, 16})
        for (const tile_dag& d : {tile_dag{1, 1, false}, tile_dag{12, 12, false}, tile_dag{5, 17, false},
                                  tile_dag{17, 5, false}, tile_dag{13, 13, true}}) {
            small_lu f(d);
            const small_lu before = f;
            f.run(threads);
            EXPECT_LT(error_of(f, before), 1e-11) << threads << " threads, " << d.rows << " x " << d.columns;
        }
}

TEST(TileDag, PublishedCountsAreThoseOfTheTilesThatAreDone) {
    const tile_dag d{4, 4, true};
    std::vector<sync::word> words(static_cast<std::size_t>(counters::size(d)));
    const counters with(words.data(), d);
    with.publish({tile_kind::lower, 2, 1, 0, 1});
    with.publish({tile_kind::upper, 1, 3, 0, 1});
    with.publish({tile_kind::diagonal, 2, 2, 0, 2});
    with.publish_border(5, 6, 1);
    EXPECT_EQ(with.left(2)->value, 2u);
    EXPECT_EQ(with.top(3)->value, 2u);
    EXPECT_EQ(with.diagonals()->value, 3u);
    EXPECT_EQ(with.left(5)->value, 2u);
    EXPECT_EQ(with.top(6)->value, 2u);
}

TEST(TileDag, AWithheldTileEndsInFailed) {
    using short_sync = cpu::ready_rows_sync<2000>;
    const tile_dag d{2, 2, false};
    std::vector<short_sync::word> words(static_cast<std::size_t>(tile_counters<short_sync>::size(d)));
    const tile_counters<short_sync> with(words.data(), d);
    EXPECT_EQ(with.wait(with.left(1), 1), 0u);
    EXPECT_EQ(with.failed()->value, 1u);
    EXPECT_EQ(with.wait(with.diagonals(), 1), 0u) << "others leave at once";
}

}  // namespace
}  // namespace wale::schedule
