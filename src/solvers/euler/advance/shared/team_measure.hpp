// team_measure - measurements by a team of threads: the same sums as measure_cells(), so the same bits.
#pragma once

#include <array>
#include <vector>

#include "base/aligned.hpp"
#include "cpu/barrier.hpp"
#include "cpu/team.hpp"
#include "solvers/euler/advance/shared/measure.hpp"

namespace wale::euler {

/// Of `all` things, those of a team's member: first <= i < last.
struct share {
    index_t first, last;
    share(index_t all, int rank, int size) : first(all * rank / size), last(all * (rank + 1) / size) {}
};

/// The cells that a team measures are all there are. A rank's are not: see ranks/collectives.hpp.
struct all_cells {
    [[nodiscard]] index_t count(const flow_system& system) const { return system.cells(); }
    void combine_largest(std::array<double, cell_measure::sums>&) const {}
    void combine_sums(std::array<base::wide_integer, cell_measure::sums>&) const {}
    [[nodiscard]] index_t combine_bad(index_t bad_cell) const { return bad_cell; }
};

/// Calls cell(i) -> cell_measure twice for each cell, and bad(i), the mesh's number of a bad cell or -1,
/// once; prepare(share, barrier) before, on all threads.
template <class Prepare, class Cell, class Bad, class Scope = all_cells>
[[nodiscard]] measured measure_by_team(const flow_system& system, int threads, Prepare&& prepare, Cell&& cell,
                                       Bad&& bad, const Scope& scope = {}) {
    using terms = std::array<double, cell_measure::sums>;
    using wide_terms = std::array<base::wide_integer, cell_measure::sums>;
    struct alignas(base::cache_line) part {
        terms largest{};
        wide_terms sums{};
        index_t bad_cell = -1;
    };
    std::vector<part> parts(static_cast<std::size_t>(threads));
    cpu::barrier meet(threads);
    cpu::run_team(threads, [&](int rank) {
        const share mine(scope.count(system), rank, threads);
        part& p = parts[static_cast<std::size_t>(rank)];
        prepare(mine, meet);
        meet.wait();
        for (index_t i = mine.first; i < mine.last; ++i) {
            const cell_measure m = cell(i);
            for (std::size_t s = 0; s < p.largest.size(); ++s)
                p.largest[s] = larger(p.largest[s], std::fabs(m.at[s]));
            p.bad_cell = lesser(p.bad_cell, bad(i));
        }
    });
    terms largest{};
    measured m;
    for (const part& p : parts) {
        for (std::size_t s = 0; s < largest.size(); ++s) largest[s] = larger(largest[s], p.largest[s]);
        m.bad_cell = lesser(m.bad_cell, p.bad_cell);
    }
    scope.combine_largest(largest);
    m.bad_cell = scope.combine_bad(m.bad_cell);
    std::vector<base::order_free_sum> sums;
    for (const double l : largest) sums.emplace_back(l);
    cpu::run_team(threads, [&](int rank) {
        const share mine(scope.count(system), rank, threads);
        std::vector<base::order_free_sum> own = sums;
        for (index_t i = mine.first; i < mine.last; ++i) {
            const cell_measure c = cell(i);
            for (std::size_t s = 0; s < own.size(); ++s)
                if (c.at[s] != 0) own[s].add(c.at[s]);  // forces mostly are
        }
        for (std::size_t s = 0; s < own.size(); ++s)
            parts[static_cast<std::size_t>(rank)].sums[s] = own[s].part();
    });
    wide_terms total{};
    for (const part& p : parts)
        for (std::size_t s = 0; s < total.size(); ++s) total[s] += p.sums[s];
    scope.combine_sums(total);
    terms values{};
    for (std::size_t s = 0; s < values.size(); ++s) {
        sums[s].add_part(total[s]);
        values[s] = sums[s].value();
    }
    m.sample = sample_of(system, values);
    return m;
}

}  // namespace wale::euler
