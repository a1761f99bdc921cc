// columns - the inputs of the Rows x Columns cells that a lane does next, in registers. Indices are
// compile-time constants after unrolling, so the arrays never become memory.
#pragma once

#include <limits>
#include <type_traits>

#include "solvers/wavefront/fill/shared/inputs.cuh"

namespace wale::wavefront {

struct extent_of_table {
    index_t rows, columns;
};

/// Over sequences: the padding of wide_inputs makes every index legal.
template <class R, int Rows, int Columns>
struct window {
    using symbol = symbol_of<R>;
    symbol rows[Rows];
    symbol columns[Columns];

    __device__ void load_columns(const R& r, index_t j) {
#pragma unroll
        for (int c = 0; c < Columns; ++c) columns[c] = r.b[j + c];
    }
    __device__ void load_rows(const R& r, index_t i, index_t, extent_of_table) {
#pragma unroll
        for (int k = 0; k < Rows; ++k) rows[k] = r.a[i + k];
    }
    __device__ void take_rows(const window& next) {
#pragma unroll
        for (int k = 0; k < Rows; ++k) rows[k] = next.rows[k];
    }
    __device__ R aim(const R& r) const {
        return over(r, rows, columns);
    }
};

/// Over an image: rows and columns beyond it repeat its edge; their cells are never stored.
template <class T, int Rows, int Columns>
struct window<summed_area_recurrence<T>, Rows, Columns> {
    using R = summed_area_recurrence<T>;
    using word =
        std::conditional_t<Columns == 2, std::uint16_t,
                           std::conditional_t<Columns == 4, std::uint32_t,
                                              std::conditional_t<Columns == 8, std::uint64_t, std::uint8_t>>>;
    std::uint8_t pixels[Rows * Columns];

    __device__ void load_columns(const R&, index_t) {}
    __device__ void load_rows(const R& r, index_t i, index_t j, extent_of_table e) {
        const bool whole = sizeof(word) == Columns && j + Columns <= e.columns && r.pitch % Columns == 0 &&
                           reinterpret_cast<std::uintptr_t>(r.image) % Columns == 0;
#pragma unroll
        for (int k = 0; k < Rows; ++k) {
            const std::uint8_t* row = r.image + larger<index_t>(0, smaller(i + k, e.rows - 1)) * r.pitch;
            if (whole) {
                const word w = *reinterpret_cast<const word*>(row + j);
#pragma unroll
                for (int c = 0; c < Columns; ++c)
                    pixels[k * Columns + c] =
                        static_cast<std::uint8_t>(w >> (8 * (c % static_cast<int>(sizeof w))));
            } else {
#pragma unroll
                for (int c = 0; c < Columns; ++c)
                    pixels[k * Columns + c] = row[smaller(j + c, e.columns - 1)];
            }
        }
    }
    __device__ void take_rows(const window& next) {
        *this = next;
    }
    __device__ R aim(const R& r) const {
        return over(r, pixels, Columns);
    }
};

// Where a row of cells is a scan, its last cell can be had without going through the others: by the cells
// "with no left neighbour" (cell() given the join's identity) joined in any order. Exact in integers; not for
// dtw, whose float sums must be made in the order of the definition.

/// identity: a left neighbour that does not matter. extend(x, k): the value x seen k cells further right, in
/// at least 32 bits, since a candidate that loses may lie beyond what an int16 cell can hold.
template <class R>
struct row_scan {
    static constexpr bool exact = false;
};

template <class T>
using scan_word = std::common_type_t<T, int>;

template <class T, class S>
struct row_scan<lcs_recurrence<T, S>> {
    static constexpr bool exact = true;
    static constexpr T identity = std::numeric_limits<T>::lowest();
    using word = scan_word<T>;
    __device__ static word extend(const lcs_recurrence<T, S>&, word x, int) { return x; }
    __device__ static word join(word x, word y) { return larger(x, y); }
};

template <class T, class S>
struct row_scan<edit_recurrence<T, S>> {
    static constexpr bool exact = true;
    static constexpr T identity = std::numeric_limits<T>::max();
    using word = scan_word<T>;
    __device__ static word extend(const edit_recurrence<T, S>&, word x, int cells) { return x + cells; }
    __device__ static word join(word x, word y) { return smaller(x, y); }
};

template <class T, class S>
struct row_scan<global_recurrence<T, S>> {
    static constexpr bool exact = true;
    static constexpr T identity = std::numeric_limits<T>::lowest();
    using word = scan_word<T>;
    __device__ static word extend(const global_recurrence<T, S>& r, word x, int cells) {
        return x + cells * r.score.gap;
    }
    __device__ static word join(word x, word y) { return larger(x, y); }
};

template <class T>
struct row_scan<summed_area_recurrence<T>> {
    static constexpr bool exact = true;
    static constexpr T identity = 0;
    using word = scan_word<T>;
    __device__ static word extend(const summed_area_recurrence<T>&, word x, int) { return x; }
    __device__ static word join(word x, word y) { return x + y; }
};

}  // namespace wale::wavefront
