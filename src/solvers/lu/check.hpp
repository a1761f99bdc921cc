// check - what every public function of this solver asks of its arguments. Throws bad_argument.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// Shapes, strides, memory space. `writable`: matrices of one batch must not overlap each other.
void check_matrices(const execution& where, const char* name, const const_matrices& m, bool writable);
template <class M>
void check_batch(const execution& where, const char* name, const batch_of<M>& all, bool writable);
/// Every matrix has as many rows as columns.
template <class M>
void check_square(const char* name, const batch_of<M>& all);
/// As many matrices, the same scalar type, as many rows.
void check_right_sides(const const_batch& factors, const char* name, const batch& b);
/// No common memory.
void check_apart(const char* name, const const_matrices& a, const char* other, const const_matrices& b);
/// Host: every pivot exchanges with a row at or below its own.
void check_pivots(const execution& where, const const_batch& factors, const std::int32_t* pivots);

}  // namespace wale::lu
