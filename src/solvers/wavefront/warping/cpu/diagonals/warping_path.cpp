// warping_path - a path or a gradient: the table is swept in strips of rows, of which only the rows between
// two strips are kept. From the last strip to the first each is computed again from the row above and read
// backwards: for a gradient with all its cells, for a path with two bits of each and only up to the path. A
// table that has room is one strip, which is computed once.
#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/warping/cpu/diagonals/pair.hpp"
#include "solvers/wavefront/warping/shared/backward.hpp"

namespace wale::wavefront {
namespace {

/// The path, from the decisions of strips.
template <class T>
class path_of_decisions {
public:
    static constexpr strip_keeps keeps = strip_keeps::decisions;
    explicit path_of_decisions(const warping_path_job& job)
        : path_(*job.path), i_(job.a.size - 1), j_(job.b.size - 1) {
        path_.reserve(static_cast<std::size_t>(job.a.size + job.b.size));
    }
    /// The columns that are still asked for.
    [[nodiscard]] index_t columns() const { return j_ + 1; }
    /// Whether a strip of so many rows has room.
    [[nodiscard]] static bool fits(const strips_of_pair<T>& strips, index_t rows, index_t) {
        return strips.decision_bytes_of(rows) <= static_cast<double>(chosen_warping().decision_bytes);
    }

    void strip(index_t first, const strips_of_pair<T>& strips) {
        while (i_ >= first) {
            path_.push_back({i_, j_});
            if (i_ == 0 || j_ == 0) {
                --(j_ == 0 ? i_ : j_);
                continue;
            }
            const auto step = strips.step_at(i_, j_);
            i_ -= step.up ? 1 : 0;
            j_ -= step.left ? 1 : 0;
        }
        if (first == 0) std::reverse(path_.begin(), path_.end());
    }

private:
    std::vector<std::array<index_t, 2>>& path_;
    index_t i_, j_;
};

/// The gradient, from the cells of strips.
template <class T>
class gradient_of_cells {
public:
    static constexpr strip_keeps keeps = strip_keeps::cells;
    explicit gradient_of_cells(const warping_path_job& job) : backward_(job) {}
    [[nodiscard]] index_t columns() const { return backward_.columns(); }
    [[nodiscard]] static bool fits(const strips_of_pair<T>&, index_t rows, index_t columns) {
        const double whole = static_cast<double>(rows + columns) * static_cast<double>(rows + strip_overrun);
        return whole <= static_cast<double>(chosen_warping().kept_cells);
    }
    void strip(index_t first, const strips_of_pair<T>& strips) {
        backward_.strip(first, [&](index_t i, index_t j) { return strips.cell(i, j); });
    }

private:
    gradient_backward<T> backward_;
};

/// Rows of a strip: those of the table where it is small, else about its square root, so that as much memory
/// is taken by a strip as by the rows between strips.
template <class Backward, class T>
index_t height_for(const strips_of_pair<T>& strips, index_t rows, index_t columns) {
    if (Backward::fits(strips, rows, columns)) return rows;
    const auto root = static_cast<index_t>(std::sqrt(static_cast<double>(rows)));
    return std::min(rows, std::max(root, chosen_warping().least_rows));
}

template <class T, class Backward>
double sweep(const warping_path_job& job, Backward&& backward) {
    constexpr strip_keeps keeps = std::remove_reference_t<Backward>::keeps;
    strips_of_pair<T> strips(job.measure);
    strips.set_rows(static_cast<const T*>(job.a.data), job.a.size);
    strips.set_columns(static_cast<const T*>(job.b.data), job.b.size);
    const index_t rows = job.a.size, columns = job.b.size;
    const index_t height = height_for<std::remove_reference_t<Backward>>(strips, rows, columns);
    strips.begin();
    std::vector<std::vector<T>> edges;  // above each strip but the first
    index_t first = 0;
    for (; first + height < rows; first += height) {
        strips.compute(first, first + height, columns, strip_keeps::nothing);
        edges.push_back(strips.edge(first + height - 1));
    }
    strips.compute(first, rows, columns, keeps);
    const double cost = strips.cost();
    backward.strip(first, strips);
    while ((first -= height) >= 0) {
        edges.pop_back();
        if (first == 0)
            strips.begin();
        else
            strips.set_edge(first - 1, edges.back());
        strips.compute(first, first + height, backward.columns(), keeps);
        backward.strip(first, strips);
    }
    return cost;
}

void run(warping_path_job& job) {
    job.run->device = cpu::instruction_set();
    with_series_type(job.measure, [&]<class T>(T) {
        job.cost = job.gradient != nullptr ? sweep<T>(job, gradient_of_cells<T>(job))
                                           : sweep<T>(job, path_of_decisions<T>(job));
    });
}

}  // namespace

extern constinit const catalogue::row<warping_path_job> warping_path_cpu_diagonals{
    "cpu/diagonals", "a vector on an antidiagonal, strips of rows, computed again on the way back", run};

}  // namespace wale::wavefront
