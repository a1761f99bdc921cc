// check - what every public function of this solver asks of its arguments. Throws bad_argument.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// Sizes, strides, starts, memory space. `writable`: the vectors must not overlap each other. `reachable`: an
/// array about which the driver has been asked already.
void check_vectors(const execution& where, const char* name, const const_vectors& v, bool writable,
                   const void* reachable = nullptr);
/// The same scalar type and sizes; `alike` the same layout and count as well.
void check_alike(const char* name, const vector_shape& v, const char* other, const vector_shape& w);
/// lower, diagonal and upper are of one shape; rhs and solution are, with k vectors for each system.
void check_chains(const chain_matrix& a);
void check_right_sides(const chain_matrix& a, const vector_shape& rhs);
[[nodiscard]] bool overlap(const const_vectors& v, const const_vectors& w);
/// No common memory, unless it is the very same vectors where `same` allows that.
void check_apart(const char* name, const const_vectors& v, const char* other, const const_vectors& w,
                 bool same);

}  // namespace wale::tree
