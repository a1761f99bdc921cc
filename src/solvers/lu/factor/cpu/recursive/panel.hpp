// panel - the factors of a tall panel of columns: recursive, so that most of it is matrix product (Toledo
// 1997), whose rows idle threads share. The panel is column-major whatever the matrix is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cpu/blas.hpp"
#include "cpu/shared_loops.hpp"
#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {

template <class T>
struct panel_rules {
    bool pivots = true;
    std::optional<real_of<T>> smallest;  // pivots below it in magnitude are moved to it
};

/// The largest magnitude of a multiplier under tournament pivoting. The tournaments of random matrices need
/// less than 5; only where a panel is singular to rounding do their pivots become arbitrary.
inline constexpr int tournament_multiplier = 10;

/// Loops of one owner, whose pieces idle threads share. The bits do not depend on the pieces
/// (subtract_product).
struct shared_work {
    static constexpr index_t step = cpu::blas::packed<double>::step;
    cpu::shared_loops* loops = nullptr;  // null: the caller does all
    int owner = 0;

    /// f(first, count) for pieces of at least `least`, unless there are fewer, that begin at multiples of
    /// `unit`.
    template <class F>
    void pieces(index_t all, index_t least, const F& f, index_t unit = step) const {
        const index_t wanted = loops == nullptr ? 1 : loops->wanted_chunks();
        const index_t size = std::max(least, (all / wanted + unit - 1) / unit * unit);
        const index_t count = std::max<index_t>(1, all / size);
        const auto one = [&](int i) { f(i * size, (i + 1 < count ? (i + 1) * size : all) - i * size); };
        if (count == 1)
            f(0, all);
        else
            loops->run(owner, static_cast<int>(count), one);
    }
    /// f(first row, rows) for pieces of a product of all x inner by inner x columns.
    template <class F>
    void rows_of_product(index_t all, index_t columns, index_t inner, const F& f) const {
        constexpr index_t products = index_t{1} << 20, least = 2 * step;
        pieces(all, std::max(least, (products / std::max<index_t>(1, columns * inner) + step) / step * step),
               f);
    }
};

/// A panel in memory of its own: columns padded, so that vectors may run over their ends.
template <class T>
class panel {
public:
    /// Takes rows x columns elements, columns <= rows.
    void load(cpu::blas::block<const T> from, index_t rows, index_t columns, const shared_work& work = {});
    /// Takes memory for rows x columns elements that another panel's all_bytes() fill.
    void expect(index_t rows, index_t columns);
    /// Bytes from all().data on.
    [[nodiscard]] index_t all_bytes() const { return leading_ * columns_ * index_t{sizeof(T)}; }
    /// Copies the panel back to where load() took it from.
    void store(cpu::blas::block<T> to, const shared_work& work = {});
    /// pivots[k]: row k was exchanged with it, counted from the panel's first row.
    /// Returns the number of pivots that were moved.
    index_t factor(const panel_rules<T>& rules, std::span<std::int32_t> pivots, const shared_work& work = {});
    /// The same, but all pivots are chosen first, by a tournament between blocks of about `block_rows` rows
    /// (tournament.cpp). False if a multiplier exceeds tournament_multiplier: the panel then holds no
    /// factors.
    [[nodiscard]] bool factor_by_tournament(index_t block_rows, std::span<std::int32_t> pivots);

    [[nodiscard]] cpu::blas::block<T> all() {
        return {elements_.data(), leading_, storage_order::column_major};
    }
    [[nodiscard]] index_t rows() const { return rows_; }
    [[nodiscard]] index_t columns() const { return columns_; }

private:
    void factor_columns(index_t first, index_t count, const panel_rules<T>& rules,
                        std::span<std::int32_t> pivots);
    void factor_leaf(index_t first, index_t count, const panel_rules<T>& rules,
                     std::span<std::int32_t> pivots);
    void exchange(index_t first_column, index_t end, std::int32_t row, std::int32_t with);
    void move_pivot(index_t k, const panel_rules<T>& rules);

    scratch<T> elements_, top_;
    index_t rows_ = 0, columns_ = 0, leading_ = 0, moved_ = 0;
    shared_work work_;
    bool pivots_large_ = true;  // of each column without exchanges, against the largest element below
};

}  // namespace wale::lu
