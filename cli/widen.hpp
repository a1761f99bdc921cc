// widen - the matrices of several files in one element type and one storage order.
#pragma once

#include <wale/matrix_file.hpp>

namespace wale::cli {

/// The narrowest type that holds the elements of both.
[[nodiscard]] scalar common_type(scalar a, scalar b);
/// A copy in a type that holds the elements; imaginary parts that `m` has not are 0.
[[nodiscard]] matrix_file_data widened(const matrix_file_data& m, scalar type);

/// The same matrix in the other storage order. O(rows columns).
[[nodiscard]] matrix_file_data turned(const matrix_file_data& m);

}  // namespace wale::cli
