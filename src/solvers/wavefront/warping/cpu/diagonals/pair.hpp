// pair - two series as the kernel reads them, and the strips of their table. The memory serves many pairs.
#pragma once

#include <bit>
#include <memory>
#include <vector>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "solvers/wavefront/warping/cpu/diagonals/strip.hpp"
#include "solvers/wavefront/warping/cpu/tuning.hpp"
#include "solvers/wavefront/warping/problem.hpp"

namespace wale::wavefront {

/// What is there after a strip beside its last row: nothing, its cells, or where a path came from in each.
enum class strip_keeps { nothing, cells, decisions };

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

    /// Bytes of the decisions of a strip of so many rows.
    [[nodiscard]] double decision_bytes_of(index_t height) const {
        return static_cast<double>(height + columns_) * static_cast<double>(decision_pitch(height));
    }

    /// Computes rows [first, last), the columns below `columns` of them, from the row above. `keeps`: what is
    /// there afterwards for cell() or step_at().
    void compute(index_t first, index_t last, index_t columns, strip_keeps keeps) {
        const warping_band all = band();
        first_ = first;
        left_ = all.first(first);
        warping_strip<T>& s = strip_;
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
        s.kept = keeps == strip_keeps::cells ? s.rows + s.columns + 1 : 3;
        s.pitch = base::round_up(s.rows + 2 + strip_overrun, strip_overrun);
        diagonals_.resize(static_cast<std::size_t>(s.kept * s.pitch));
        s.diagonals = diagonals_.data();
        s.decision_pitch = decision_pitch(s.rows);
        s.decisions = keeps == strip_keeps::decisions
                          ? decisions_.of((s.rows + s.columns) * s.decision_pitch + mask_overrun)
                          : nullptr;
        const bool thin = std::min(s.rows, s.columns) <= chosen_warping().thin && !(measure_.gamma > 0);
        thin&& keeps != strip_keeps::cells ? compute_thin(s) : wavefront::compute(s);
        at(edge_, all.first(last - 1)) = warping_cell<T>::infinity;  // the cells beside the last row's
        at(edge_, all.last(last - 1) + 2) = warping_cell<T>::infinity;
    }

    /// A cell of the strip that was kept, or of the row above it.
    [[nodiscard]] T cell(index_t i, index_t j) const {
        return diagonals_[static_cast<std::size_t>((i - first_ + j - left_ + 2) * strip_.pitch + 1 + i -
                                                   first_)];
    }
    /// From where a path comes to a cell of a strip whose decisions were kept: up, left, or both.
    struct step {
        bool up, left;
    };
    [[nodiscard]] step step_at(index_t i, index_t j) const {
        const index_t r = i - first_, k = r + j - left_, place = r - strip_.first_row(k);
        const index_t lane = place & (lanes_ - 1), bytes = decision_bytes(lanes_);
        const std::uint8_t* const word =
            strip_.decisions + k * strip_.decision_pitch +
            (place >> std::countr_zero(static_cast<std::uint64_t>(lanes_))) * 2 * bytes + lane / 8;
        const bool left = (word[bytes] >> lane % 8 & 1) != 0, up = (word[0] >> lane % 8 & 1) != 0;
        return left ? step{false, true} : step{true, !up};
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
    static constexpr index_t mask_overrun = 8;  // bytes that Highway may write of a mask

    /// Memory whose old contents nothing needs.
    class bytes_for_decisions {
    public:
        std::uint8_t* of(index_t size) {
            if (size > size_)
                memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(static_cast<std::size_t>(size));
            size_ = std::max(size, size_);
            return memory_.get();
        }

    private:
        std::unique_ptr<std::uint8_t[]> memory_;
        index_t size_ = 0;
    };

    [[nodiscard]] index_t decision_pitch(index_t height) const {
        const warping_band all = band();
        const index_t longest = std::min({height, columns_, (all.below + all.above) / 2 + 1});
        return base::ceil_div(longest, lanes_) * 2 * decision_bytes(lanes_);
    }
    static T& at(base::aligned_vector<T>& v, index_t k) { return v[static_cast<std::size_t>(k)]; }

    warping_measure measure_;
    const index_t lanes_ = lanes_of_strip(sizeof(T));
    index_t rows_ = 0, columns_ = 0, first_ = 0, left_ = 0;
    warping_strip<T> strip_{};  // the last one
    bytes_for_decisions decisions_;
    base::aligned_vector<T> a_, b_, diagonals_, edge_;  // edge_[1 + j]: column j
};

}  // namespace wale::wavefront
