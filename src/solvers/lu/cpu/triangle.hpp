// triangle - triangular systems with many right-hand sides: by halves, products between them, so that nearly
// all of the work is products of matrices.
#pragma once

#include <algorithm>

#include "cpu/blas.hpp"
#include "solvers/lu/cpu/kernels.hpp"

namespace wale::lu {

template <class T>
struct triangle {
    cpu::blas::block<const T> at;  // its first diagonal element
    index_t size = 0;
    bool lower = true;
    bool unit = true;  // the diagonal is 1 and not read
};

/// X <- T^-1 X. X is row-major, its lines padded<T>(columns) or more apart.
template <class T>
void solve_triangle(const triangle<T>& t, cpu::blas::block<T> x, index_t columns);

/// Zeros in columns first to end - 1 of the rows of a row-major strip: they fill the last vector.
template <class T>
void clear_columns(cpu::blas::block<T> x, index_t rows, index_t first, index_t end) {
    for (index_t i = 0; first < end && i < rows; ++i) std::fill(&x(i, first), &x(i, end), T(0));
}

}  // namespace wale::lu
