// backward - what is read off a table of warping costs from its end: the path, or the gradient. The table
// comes in strips of rows, the last rows first; at(i, j) gives the cells of a strip and of the row above it.
#pragma once

#include <vector>

#include "cpu/poll.hpp"
#include "solvers/wavefront/warping/problem.hpp"

namespace wale::wavefront {

template <class T>
struct series_pair {
    const T* a;
    const T* b;
    warping_band band;
    warping_cell<T> cell;
    explicit series_pair(const warping_path_job& job)
        : a(static_cast<const T*>(job.a.data)),
          b(static_cast<const T*>(job.b.data)),
          band(job.a.size, job.b.size, job.measure.window),
          cell(job.measure) {}
    [[nodiscard]] const T* point_of_a(index_t i) const { return a + i * cell.dimensions; }
    [[nodiscard]] const T* point_of_b(index_t j) const { return b + j * cell.dimensions; }
    [[nodiscard]] T cost(index_t i, index_t j) const { return cell.cost(point_of_a(i), point_of_b(j)); }
};

/// The path. Cells are compared, never subtracted: where sums have become infinite, the path stays in the
/// band.
template <class T>
class path_backward {
public:
    explicit path_backward(const warping_path_job& job)
        : pair_(job), path_(*job.path), i_(job.a.size - 1), j_(job.b.size - 1) {}
    template <class At>
    void strip(index_t first, const At& at) {
        while (i_ >= first) {
            path_.push_back({i_, j_});
            step(at);
        }
        if (first == 0) std::reverse(path_.begin(), path_.end());
    }

private:
    template <class At>
    void step(const At& at) {
        if (i_ == 0 || j_ == 0) {
            --(j_ == 0 ? i_ : j_);
            return;
        }
        T least = at(i_ - 1, j_ - 1);
        index_t i = i_ - 1, j = j_ - 1;
        const auto consider = [&](index_t row, index_t column) {
            if (!pair_.band.has(row, column) || !(at(row, column) < least)) return;
            least = at(row, column);
            i = row, j = column;
        };
        consider(i_ - 1, j_);
        consider(i_, j_ - 1);
        i_ = i, j_ = j;
    }

    series_pair<T> pair_;
    std::vector<std::array<index_t, 2>>& path_;
    index_t i_, j_;
};

/// The gradient: how the cost changes with each cell, from the last cell on. A cell x, softly the least of
/// three plus its own cost, changes with one of the three by exp((soft minimum - that one) / gamma).
template <class T>
class gradient_backward {
public:
    explicit gradient_backward(const warping_path_job& job)
        : pair_(job),
          gradient_(static_cast<T*>(job.gradient)),
          gamma_(job.measure.gamma),
          here_(static_cast<std::size_t>(job.b.size) + 1),
          below_(here_) {}
    [[nodiscard]] index_t columns() const { return pair_.band.columns; }

    template <class At>
    void strip(index_t first, const At& at) {
        for (; next_row() >= first; ++done_) row(next_row(), at);
    }

private:
    /// Of a cell: its share in the cost, and the soft minimum that it was made of.
    struct change {
        double share = 0, least = 0;
        [[nodiscard]] double of(double value, double gamma) const {
            return share == 0 ? 0 : share * std::exp((least - value) / gamma);
        }
    };

    [[nodiscard]] index_t next_row() const { return pair_.band.rows - 1 - done_; }

    template <class At>
    void row(index_t i, const At& at) {
        cpu::poll();
        const index_t dimensions = pair_.cell.dimensions, first = pair_.band.first(i);
        std::vector<double> sums(static_cast<std::size_t>(dimensions));
        std::fill(here_.begin(), here_.end(), change{});
        for (index_t j = pair_.band.last(i); j >= first; --j) {
            const auto k = static_cast<std::size_t>(j);
            const double value = at(i, j);
            here_[k].share = done_ == 0 && j == pair_.band.columns - 1
                                 ? 1
                                 : here_[k + 1].of(value, gamma_) + below_[k].of(value, gamma_) +
                                       below_[k + 1].of(value, gamma_);
            here_[k].least = value - pair_.cost(i, j);
            for (index_t d = 0; d < dimensions; ++d) {
                const double difference = double{pair_.point_of_a(i)[d]} - double{pair_.point_of_b(j)[d]};
                const double slope =
                    pair_.cell.squared ? 2 * difference : (difference > 0) - (difference < 0);
                sums[static_cast<std::size_t>(d)] += here_[k].share * slope;
            }
        }
        for (index_t d = 0; d < dimensions; ++d)
            gradient_[i * dimensions + d] = static_cast<T>(sums[static_cast<std::size_t>(d)]);
        std::swap(here_, below_);
    }

    series_pair<T> pair_;
    T* gradient_;
    double gamma_;
    std::vector<change> here_, below_;  // of this row and the one below
    index_t done_ = 0;                  // rows
};

/// f with what is read off for this job.
template <class T, class F>
void with_backward(const warping_path_job& job, F&& f) {
    if (job.gradient != nullptr) return f(gradient_backward<T>(job));
    f(path_backward<T>(job));
}

/// f(T{}) of the type of the series.
template <class F>
void with_series_type(const warping_measure& m, F&& f) {
    if (m.type == element::f32) return f(float{});
    f(double{});
}

}  // namespace wale::wavefront
