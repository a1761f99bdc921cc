// triangle - triangular systems with many right-hand sides: by halves, products between them, so that nearly
// all of the work is products of matrices.
#pragma once

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

}  // namespace wale::lu
