// pair - two series as the kernel reads them, and the strips of their table. The memory serves many pairs.
#pragma once

#include <vector>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "solvers/wavefront/warping/cpu/diagonals/strip.hpp"
#include "solvers/wavefront/warping/cpu/tuning.hpp"
#include "solvers/wavefront/warping/problem.hpp"

namespace wale::wavefront {

template <class T>
class strips_of_pair {
public:
    explicit strips_of_pair(const warping_measure& m) : measure_(m) {}

    /// The rows of the next pairs.
    void set_rows(const T* a, index_t m) {
        rows_ = m;
        a_.resize(static_cast<std::size_t>((m + strip_overrun) * measure_.dimensions));
        for (index_t d = 0; d < measure_.dimensions; ++d)
            for (index_t i = 0; i < m; ++i)
                at(a_, d * (m + strip_overrun) + i) = a[i * measure_.dimensions + d];
    }
    /// The columns, laid backwards.
    void set_columns(const T* b, index_t n) {
        columns_ = n;
        b_.resize(static_cast<std::size_t>((n + strip_overrun) * measure_.dimensions));
        for (index_t d = 0; d < measure_.dimensions; ++d)
            for (index_t j = 0; j < n; ++j)
                at(b_, d * (n + strip_overrun) + n - 1 - j) = b[j * measure_.dimensions + d];
    }

    [[nodiscard]] warping_band band() const { return {rows_, columns_, measure_.window}; }

    /// The border above the table becomes the row above the next strip.
    void begin() {
        edge_.assign(static_cast<std::size_t>(columns_) + 2, warping_cell<T>::infinity);
        edge_[0] = 0;
    }

    /// Computes rows [first, last), the columns below `columns` of them, from the row above; `keep`: all of
    /// them are there afterwards for cell().
    void compute(index_t first, index_t last, index_t columns, bool keep) {
        const warping_band all = band();
        first_ = first;
        left_ = all.first(first);
        warping_strip<T> s;
        s.rows = last - first;
        s.columns = std::min(columns, all.last(last - 1) + 1) - left_;
        s.below = all.below - first + left_;
        s.above = all.above + first - left_;
        s.dimensions = measure_.dimensions;
        s.squared = measure_.cost == dtw_cost::squared;
        s.gamma = static_cast<T>(measure_.gamma);
        s.a = a_.data() + first;
        s.b = b_.data() + columns_ - 1 - left_;
        s.a_stride = rows_ + strip_overrun;
        s.b_stride = columns_ + strip_overrun;
        s.edge = edge_.data() + 1 + left_;
        s.kept = keep ? s.rows + s.columns + 1 : 3;
        s.pitch = pitch_ = base::round_up(s.rows + 2 + strip_overrun, strip_overrun);
        diagonals_.resize(static_cast<std::size_t>(s.kept * s.pitch));
        s.diagonals = diagonals_.data();
        wavefront::compute(s);
        at(edge_, all.first(last - 1)) = warping_cell<T>::infinity;  // the cells beside the last row's
        at(edge_, all.last(last - 1) + 2) = warping_cell<T>::infinity;
    }

    /// A cell of the strip that was kept, or of the row above it.
    [[nodiscard]] T cell(index_t i, index_t j) const {
        return diagonals_[static_cast<std::size_t>((i - first_ + j - left_ + 2) * pitch_ + 1 + i - first_)];
    }
    /// Of the last cell, after the last strip.
    [[nodiscard]] T cost() const { return edge_[static_cast<std::size_t>(columns_)]; }

    /// Row i, the last one of the strip before, for another time.
    [[nodiscard]] std::vector<T> edge(index_t i) const {
        return {edge_.begin() + band().first(i), edge_.begin() + band().last(i) + 3};
    }
    void set_edge(index_t i, const std::vector<T>& kept) {
        std::copy(kept.begin(), kept.end(), edge_.begin() + band().first(i));
    }

private:
    static T& at(base::aligned_vector<T>& v, index_t k) { return v[static_cast<std::size_t>(k)]; }

    warping_measure measure_;
    index_t rows_ = 0, columns_ = 0, first_ = 0, left_ = 0, pitch_ = 0;
    base::aligned_vector<T> a_, b_, diagonals_, edge_;  // edge_[1 + j]: column j
};

}  // namespace wale::wavefront
