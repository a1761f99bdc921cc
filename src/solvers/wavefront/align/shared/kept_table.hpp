// kept_table - the ends and the path of an alignment whose cells are all kept.
#pragma once

#include <limits>

#include "solvers/wavefront/align/problem.hpp"

namespace wale::wavefront {

inline constexpr std::int64_t left_out = std::numeric_limits<std::int64_t>::min() / 2;  // by a heuristic

/// A table has h(i, j), what path_walker::walk() reads, and best(): of a local alignment or of an extension
/// the cell with the largest H, of equals the leftmost column, then the uppermost row.
template <class Table>
void finish_alignment(const alignment_problem& p, const Table& t, alignment_task task,
                      alignment_result& out) {
    if (p.local() || p.x_drop >= 0) {
        out.best_ends = {t.best()};
        out.score = t.h(out.best_ends[0].query, out.best_ends[0].target);
    } else {
        best_ends ends(p);
        for (index_t j = 0; j <= p.columns(); ++j) ends.offer(p.rows(), j, t.h(p.rows(), j));
        for (index_t i = 0; i < p.rows(); ++i) ends.offer(i, p.columns(), t.h(i, p.columns()));
        out.score = ends.score();
        out.best_ends = ends.sorted();
    }
    if (task < alignment_task::starts) return;
    path_walker walker(p, out.best_ends[0], out.score);
    walker.walk(t, 0, 0);
    walker.finish(out, task == alignment_task::path);
}

}  // namespace wale::wavefront
