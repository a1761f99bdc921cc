// kernels - the few inner loops of the host's dense LU that no BLAS has or does well, in vectors of whatever
// width the CPU offers (kernels.cpp).
#pragma once

#include <complex>
#include <wale/layout.hpp>

namespace wale::lu {

/// Lines of padded memory may be read and written this many bytes beyond their end.
inline constexpr index_t vector_bytes = 64;

/// Elements from a line of `length` elements to the next, so that vectors may run over its end and lines do
/// not fall on the same sets of a cache: an odd number of cache lines.
template <class T>
[[nodiscard]] constexpr index_t padded(index_t length) {
    constexpr index_t line = vector_bytes / index_t{sizeof(T)};
    const index_t lines = (length + line - 1) / line + 1;
    return (lines + (lines % 2 == 0)) * line;
}

/// The same for rows that vectors alone read: none runs over the end of an odd number of cache lines.
template <class T>
[[nodiscard]] constexpr index_t strip_pitch(index_t columns) {
    constexpr index_t line = vector_bytes / index_t{sizeof(T)};
    return columns % (2 * line) == line ? columns : padded<T>(columns);
}

/// A small triangular system for many right-hand sides: rows of X in the order of substitution.
template <class T>
struct substitution {
    static constexpr index_t most = 16;
    index_t size = 0;
    T coefficient[most][most];  // of the row of step t in the row of step s, t < s
    T divisor[most];
    bool divides = false;
    T* rows = nullptr;     // X in the first step's row
    index_t row_step = 0;  // from a step's row to the next one's; negative: upwards
    index_t columns = 0;   // padded: vectors run over the end of the rows
};
void substitute(const substitution<float>& s);
void substitute(const substitution<double>& s);
void substitute(const substitution<std::complex<float>>& s);
void substitute(const substitution<std::complex<double>>& s);

/// A few columns of a tall panel, column-major and padded.
template <class T>
struct tall_columns {
    T* data = nullptr;  // row 0 of the panel in the column of the pivot
    index_t leading = 0;
    index_t rows = 0;
    index_t columns = 0;  // from the pivot's on
};

/// The lowest row from `first` on with the largest magnitude in the first column, by the comparisons of the
/// reference: `first` if that is NaN, other NaN never.
[[nodiscard]] index_t row_of_largest(const tall_columns<float>& c, index_t first);
[[nodiscard]] index_t row_of_largest(const tall_columns<double>& c, index_t first);
[[nodiscard]] index_t row_of_largest(const tall_columns<std::complex<float>>& c, index_t first);
[[nodiscard]] index_t row_of_largest(const tall_columns<std::complex<double>>& c, index_t first);

/// Divides the column below the pivot, takes its product with the pivot's row from the columns after it.
/// Returns row_of_largest of the next column from row pivot + 1 on (that row itself without a next column).
index_t eliminate(const tall_columns<float>& c, index_t pivot);
index_t eliminate(const tall_columns<double>& c, index_t pivot);
index_t eliminate(const tall_columns<std::complex<float>>& c, index_t pivot);
index_t eliminate(const tall_columns<std::complex<double>>& c, index_t pivot);

}  // namespace wale::lu
