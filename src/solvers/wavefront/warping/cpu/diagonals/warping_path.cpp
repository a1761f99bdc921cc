// diagonals - a path or a gradient: the table is swept in strips of rows, of which only the rows between two
// strips are kept. From the last strip to the first each is computed again from the row above, kept whole and
// read backwards; for a path only its columns up to the path.
#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/warping/cpu/diagonals/pair.hpp"
#include "solvers/wavefront/warping/shared/backward.hpp"

namespace wale::wavefront {
namespace {

/// Rows of a strip: those of the table where it is small, else about its square root, so that as much memory
/// is taken by a strip as by the rows between strips.
index_t height_for(index_t rows, index_t columns) {
    const warping_policy& p = chosen_warping();
    const double whole = static_cast<double>(rows + columns) * static_cast<double>(rows + strip_overrun);
    if (whole <= static_cast<double>(p.kept_cells)) return rows;
    const auto root = static_cast<index_t>(std::sqrt(static_cast<double>(rows)));
    return std::min(rows, std::max(root, p.least_rows));
}

template <class T, class Backward>
double sweep(const warping_path_job& job, Backward& backward) {
    strips_of_pair<T> strips(job.measure);
    const index_t rows = job.a.size, columns = job.b.size, height = height_for(rows, columns);
    strips.set_rows(static_cast<const T*>(job.a.data), rows);
    strips.set_columns(static_cast<const T*>(job.b.data), columns);
    strips.begin();
    std::vector<std::vector<T>> edges;  // above each strip but the first
    index_t first = 0;
    for (; first + height < rows; first += height) {
        strips.compute(first, first + height, columns, false);
        edges.push_back(strips.edge(first + height - 1));
    }
    strips.compute(first, rows, columns, true);
    const double cost = strips.cost();
    const auto cell = [&](index_t i, index_t j) { return strips.cell(i, j); };
    backward.strip(first, cell);
    while ((first -= height) >= 0) {
        edges.pop_back();
        if (first == 0)
            strips.begin();
        else
            strips.set_edge(first - 1, edges.back());
        strips.compute(first, first + height, backward.columns(), true);
        backward.strip(first, cell);
    }
    return cost;
}

void run(warping_path_job& job) {
    job.run->device = cpu::instruction_set();
    with_series_type(job.measure, [&]<class T>(T) {
        with_backward<T>(job, [&](auto&& backward) { job.cost = sweep<T>(job, backward); });
    });
}

}  // namespace

extern constinit const catalogue::row<warping_path_job> warping_path_cpu_diagonals{
    "cpu/diagonals", "a vector on an antidiagonal, strips of rows, computed again on the way back", run};

}  // namespace wale::wavefront
