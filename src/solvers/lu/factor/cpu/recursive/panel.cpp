#include "solvers/lu/factor/cpu/recursive/panel.hpp"

#include <utility>

#include "solvers/lu/cpu/copy.hpp"
#include "solvers/lu/cpu/triangle.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

constexpr index_t leaf = 8;              // columns: as many as eliminate() takes
constexpr index_t columns_a_piece = 32;  // of loops that only move elements

}  // namespace

template <class T>
void panel<T>::expect(index_t rows, index_t columns) {
    rows_ = rows;
    columns_ = columns;
    leading_ = padded<T>(rows);
    elements_.take(leading_ * columns);
}

template <class T>
void panel<T>::load(cpu::blas::block<const T> from, index_t rows, index_t columns, const shared_work& work) {
    expect(rows, columns);
    work.pieces(columns, columns_a_piece, [&](index_t first, index_t count) {
        copy_block(from.from(0, first), all().from(0, first), rows, count);
        for (index_t j = first; j < first + count; ++j)  // what vectors read below a column is never a pivot
            std::fill(&all()(rows, j), elements_.data() + (j + 1) * leading_, T(0));
    });
}

template <class T>
void panel<T>::store(cpu::blas::block<T> to, const shared_work& work) {
    work.pieces(columns_, columns_a_piece, [&](index_t first, index_t count) {
        copy_block<T>(all().from(0, first), to.from(0, first), rows_, count);
    });
}

template <class T>
index_t panel<T>::factor(const panel_rules<T>& rules, std::span<std::int32_t> pivots,
                         const shared_work& work) {
    work_ = work;
    moved_ = 0;
    pivots_large_ = true;
    factor_columns(0, columns_, rules, pivots);
    return moved_;
}

template <class T>
void panel<T>::factor_columns(index_t first, index_t count, const panel_rules<T>& rules,
                              std::span<std::int32_t> pivots) {
    if (count <= leaf) return factor_leaf(first, count, rules, pivots);
    const index_t left = (count / 2 + leaf - 1) / leaf * leaf, right = count - left;
    factor_columns(first, left, rules, pivots);
    // U's rows of the right part, in memory where rows are contiguous.
    const index_t pitch = padded<T>(right);
    const cpu::blas::block<T> top{top_.take(left * pitch), pitch, storage_order::row_major};
    const auto own = all().from(first, first + left);
    copy_block<T>(own, top, left, right);
    solve_triangle(triangle<T>{all().from(first, first), left, true, true}, top, right);
    copy_block<T>(top, own, left, right);
    const index_t below = first + left;
    work_.rows_of_product(rows_ - below, right, left, [&](index_t row, index_t rows) {
        cpu::blas::subtract_product<T>(all().from(below + row, below), all().from(below + row, first), top,
                                       {rows, right, left});
    });
    factor_columns(below, right, rules, pivots);
}

template <class T>
void panel<T>::exchange(index_t first_column, index_t end, std::int32_t row, std::int32_t with) {
    for (index_t j = first_column; j < end; ++j) std::swap(all()(row, j), all()(with, j));
}

template <class T>
void panel<T>::move_pivot(index_t k, const panel_rules<T>& rules) {
    if (!rules.smallest) return;
    T& pivot = all()(k, k);
    const T moved = perturbed_pivot(pivot, *rules.smallest);
    moved_ += moved != pivot && moved == moved;
    pivot = moved;
}

template <class T>
void panel<T>::factor_leaf(index_t first, index_t count, const panel_rules<T>& rules,
                           std::span<std::int32_t> pivots) {
    const index_t end = first + count;
    tall_columns<T> columns{&all()(0, first), leading_, rows_, count};
    index_t next = row_of_largest(columns, first);
    for (index_t k = first; k < end; ++k) {
        const real_of<T> largest = pivot_size(all()(next, k)), own = pivot_size(all()(k, k));
        pivots_large_ = pivots_large_ && largest <= tournament_multiplier * own;  // false of NaN
        const auto pivot = static_cast<std::int32_t>(rules.pivots ? next : k);
        pivots[static_cast<std::size_t>(k)] = pivot;
        if (pivot != k) exchange(first, end, static_cast<std::int32_t>(k), pivot);
        move_pivot(k, rules);
        next = eliminate(columns, k);
        columns.data += leading_;
        --columns.columns;
    }
    work_.pieces(columns_, columns_a_piece, [&](index_t from, index_t some) {
        for (index_t j = from; j < from + some; ++j) {
            if (j >= first && j < end) continue;
            T* const column = &all()(0, j);
            for (index_t k = first; k < end; ++k)
                std::swap(column[k], column[pivots[static_cast<std::size_t>(k)]]);
        }
    });
}

template class panel<float>;
template class panel<double>;
template class panel<std::complex<float>>;
template class panel<std::complex<double>>;

}  // namespace wale::lu
