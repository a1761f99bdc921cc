// tile_dag - the tiles of a block LU in an order in which each comes after all that it reads, the critical
// path first; and the counters by which workers that take them by ticket wait for each other.
//
// A tile is computed once, left-looking: D(k), L(i, k) below it and U(k, j) right of it sum the products of
// the tiles left of and above them, then use the inverses of the triangles of D(k). The diagonal runs ahead:
//
//         0  2  5 13       D(0)  L(1,0) U(0,1)  D(1)  L(2,0) U(0,2) L(3,0) U(0,3)
//         1  3  9 16             L(2,1) U(1,2)  D(2)  L(3,1) U(1,3)  ...
//         4  8 10 ..       the number of the ticket of each tile, read down and to the right
//
// Bordered by the identity, [A I; I 0], the same elimination leaves the inverse of L right of A and that of U
// below it.
//
// Who:   a worker takes the next task by ticket and computes its tile.
// Waits: for the tiles in its sum, and for the diagonal tile of its level. The tiles of a row become ready
//        from the left to the right and those of a column from above, so one monotone counter for each row
//        and column is enough.
// Why no deadlock: every task reads tiles of lower tickets only (tests/unit/tile_dag_test.cpp looks at each),
//        so the lowest unfinished ticket waits for no other; whatever the number of resident workers.
// Why this order: publish is a release and wait an acquire. Who publishes count k has acquired count k - 1,
//        so that a reader of k sees the tiles before it too.
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

#include "base/host_device.hpp"
#include "schedule/wait.hpp"

namespace wale::schedule {

enum class tile_kind { diagonal, lower, upper };

struct tile_task {
    tile_kind kind;
    index_t row, column;  // rows >= tile_dag::rows and columns >= tile_dag::columns are the border's
    index_t first;        // the sum goes over k = first .. level - 1
    index_t level;        // the diagonal tile that it needs, or is
};

struct tile_dag {
    index_t rows, columns;  // tiles
    bool bordered;

    [[nodiscard]] WALE_HD constexpr index_t levels() const { return rows < columns ? rows : columns; }
    /// Tasks of level k besides D(k), with D(k + 1) instead.
    [[nodiscard]] WALE_HD constexpr index_t group(index_t k) const {
        return rows - 1 - k + columns - 1 - k + (k + 1 < levels() ? 1 : 0) + (bordered ? 2 * k : 0);
    }
    [[nodiscard]] WALE_HD constexpr index_t count() const {
        index_t n = levels() > 0 ? 1 : 0;
        for (index_t k = 0; k < levels(); ++k) n += group(k);
        return n;
    }
    /// Task number `at` of group k.
    [[nodiscard]] WALE_HD constexpr tile_task task(index_t k, index_t at) const {
        if (k + 1 < rows && at-- == 0) return {tile_kind::lower, k + 1, k, 0, k};
        if (k + 1 < columns && at-- == 0) return {tile_kind::upper, k, k + 1, 0, k};
        if (k + 1 < levels() && at-- == 0) return {tile_kind::diagonal, k + 1, k + 1, 0, k + 1};
        const index_t below = rows - k > 2 ? rows - k - 2 : 0, right = columns - k > 2 ? columns - k - 2 : 0;
        const index_t both = below < right ? below : right;
        if (at < 2 * both)
            return at % 2 == 0 ? tile_task{tile_kind::lower, k + 2 + at / 2, k, 0, k}
                               : tile_task{tile_kind::upper, k, k + 2 + at / 2, 0, k};
        at -= both;
        if (at < below) return {tile_kind::lower, k + 2 + at, k, 0, k};
        if (at < right) return {tile_kind::upper, k, k + 2 + at, 0, k};
        at -= below < right ? right : below;  // the border: row or column j of the identity starts at level j
        return at % 2 == 0 ? tile_task{tile_kind::lower, rows + at / 2, k, at / 2, k}
                           : tile_task{tile_kind::upper, k, columns + at / 2, at / 2, k};
    }
};

/// Turns tickets, which only grow, into tasks.
struct tile_cursor {
    tile_dag dag;
    index_t level = 0;  // the group in which the last ticket was
    index_t begin = 1;  // its first ticket

    /// ticket < dag.count()
    WALE_HD tile_task at(index_t ticket) {
        if (ticket == 0) return {tile_kind::diagonal, 0, 0, 0, 0};
        while (ticket - begin >= dag.group(level)) begin += dag.group(level++);
        return dag.task(level, ticket - begin);
    }
};

/// The words that the workers share, all 0 before the start. Sync: as for ready_rows.
template <class Sync>
struct tile_counters {
    using word = typename Sync::word;
    word* words;
    index_t rows, columns;  // tiles, the border's too

    [[nodiscard]] WALE_HD static constexpr index_t size(const tile_dag& d) {
        return 3 + d.rows + d.columns + (d.bordered ? 2 * d.levels() : 0);
    }
    WALE_HD tile_counters(word* memory, const tile_dag& d)
        : words(memory),
          rows(d.rows + (d.bordered ? d.levels() : 0)),
          columns(d.columns + (d.bordered ? d.levels() : 0)) {}

    [[nodiscard]] WALE_HD word* failed() const { return words + 1; }
    /// Counts finished diagonal tiles; the tiles finished in a row, in a column, from level 0 on.
    [[nodiscard]] WALE_HD word* diagonals() const { return words + 2; }
    [[nodiscard]] WALE_HD word* left(index_t row) const { return words + 3 + row; }
    [[nodiscard]] WALE_HD word* top(index_t column) const { return words + 3 + rows + column; }

    [[nodiscard]] WALE_HD index_t take() const { return static_cast<index_t>(Sync::fetch_add(words)); }
    /// How far a counter is, when it is `count` or more; 0: gave up, or another worker did. Leave then.
    [[nodiscard]] WALE_HD std::uint32_t wait(word* counter, index_t count) const {
        std::uint32_t now = 0;
        const auto arrived = [&] {
            now = Sync::load_acquire(counter);
            return now >= static_cast<std::uint32_t>(count);
        };
        return wait_until(arrived, shared_bound<Sync>{failed()}) ? now : 0;
    }
    /// The tile of a task is done, and everything that this worker wrote before is to be seen.
    WALE_HD void publish(const tile_task& t) const {
        const auto done = static_cast<std::uint32_t>(t.level + 1);
        Sync::store_release(t.kind == tile_kind::diagonal ? diagonals()
                            : t.kind == tile_kind::lower  ? left(t.row)
                                                          : top(t.column),
                            done);
    }
    /// The inverses of a diagonal tile are the first tiles of their row and column of the border.
    WALE_HD void publish_border(index_t row, index_t column, index_t level) const {
        Sync::store_release(left(row), static_cast<std::uint32_t>(level + 1));
        Sync::store_release(top(column), static_cast<std::uint32_t>(level + 1));
    }
};

}  // namespace wale::schedule
