// team_measure - measurements by a team of threads: the same sums as measure_cells(), so the same bits.
#pragma once

#include <vector>

#include "base/aligned.hpp"
#include "cpu/meeting.hpp"
#include "cpu/team.hpp"
#include "solvers/euler/measure.hpp"

namespace wale::euler {

/// Of `all` things, those of a team's member: first <= i < last.
struct share {
    index_t first, last;
    share(index_t all, int rank, int size) : first(all * rank / size), last(all * (rank + 1) / size) {}
};

/// Calls cell(i) -> cell_measure twice for each cell, and bad(i), the mesh's number of a bad cell or -1,
/// once; prepare(share) before, on all threads.
template <class Prepare, class Cell, class Bad>
[[nodiscard]] measured measure_by_team(const flow_system& system, int threads, Prepare&& prepare, Cell&& cell,
                                       Bad&& bad) {
    using terms = std::array<double, cell_measure::sums>;
    struct alignas(base::cache_line) part {
        terms largest{};
        std::array<base::wide_integer, cell_measure::sums> sums{};
        index_t bad_cell = -1;
    };
    std::vector<part> parts(static_cast<std::size_t>(threads));
    const auto sums_of_all = [&] {
        terms largest{};
        for (const part& p : parts)
            for (std::size_t s = 0; s < largest.size(); ++s) largest[s] = larger(largest[s], p.largest[s]);
        std::vector<base::order_free_sum> sums;
        for (const double l : largest) sums.emplace_back(l);
        return sums;
    };
    cpu::meeting meet(threads);
    cpu::run_team(threads, [&](int rank) {
        const share mine(system.cells(), rank, threads);
        part& p = parts[static_cast<std::size_t>(rank)];
        prepare(mine);
        meet.wait();
        for (index_t i = mine.first; i < mine.last; ++i) {
            const cell_measure m = cell(i);
            for (std::size_t s = 0; s < p.largest.size(); ++s)
                p.largest[s] = larger(p.largest[s], std::fabs(m.at[s]));
            p.bad_cell = lesser(p.bad_cell, bad(i));
        }
        meet.wait();
        std::vector<base::order_free_sum> sums = sums_of_all();
        for (index_t i = mine.first; i < mine.last; ++i) {
            const cell_measure m = cell(i);
            for (std::size_t s = 0; s < sums.size(); ++s) sums[s].add(m.at[s]);
        }
        for (std::size_t s = 0; s < sums.size(); ++s) p.sums[s] = sums[s].part();
    });
    std::vector<base::order_free_sum> sums = sums_of_all();
    measured m;
    terms values{};
    for (std::size_t s = 0; s < values.size(); ++s) {
        for (const part& p : parts) sums[s].add_part(p.sums[s]);
        values[s] = sums[s].value();
    }
    for (const part& p : parts) m.bad_cell = lesser(m.bad_cell, p.bad_cell);
    m.sample = sample_of(system, values);
    return m;
}

}  // namespace wale::euler
