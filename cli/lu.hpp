// lu - what the parts of the verb share: what a run found out, and how it is command.
#pragma once

#include <string>
#include <wale/lu_refined.hpp>
#include <wale/matrix_file.hpp>

#include "options.hpp"

namespace CLI {
class App;
}

namespace wale::cli {

void add_lu(CLI::App& app, lu_command& o);

/// A number that was not asked for or not measured is below 0.
struct lu_report {
    std::string operation, input, output;
    matrix_shape shape;
    index_t right_sides = 0;
    std::string pivoting;
    lu_result factor;  // of all operations but the refined solve
    lu_refined_result refined;
    bool is_refined = false;
    report solve;                // of solve and inverse
    double residual_ratio = -1;  // |P A - L U| / (max(m, n) |A| eps), 1-norm
    double backward_ratio = -1;  // of solve: |b - A x| / (n eps (|A| |x| + |b|)), the worst column, 1-norm
    double largest_error = -1;   // of solve, where the solution is known
    lu_determinant_result determinant;
    double read_seconds = 0, to_device_seconds = 0, from_device_seconds = 0;
};

/// The line on standard error.
[[nodiscard]] std::string line_of(const lu_report& r);
/// Why the result cannot be trusted, in words; empty if it can. A determinant may be 0.
[[nodiscard]] std::string verdict_of(const lu_report& r);
/// "-3.25e+5043", from sign and logarithm.
[[nodiscard]] std::string determinant_text(const lu_determinant_result& d, bool complex);

/// |b - A x| / (n eps (|A| |x| + |b|)) in the 1-norm, the worst column; NaN where x is not finite. Host
/// memory.
[[nodiscard]] double backward_ratio(const const_matrices& a, const const_matrices& x, const const_matrices& b,
                                    bool transposed);
/// b = A (1, ..., 1), or with A^T. Host memory.
void fill_for_ones(const const_matrices& a, const matrices& b, bool transposed);
/// max |x - 1|
[[nodiscard]] double largest_error_from_ones(const const_matrices& x);

}  // namespace wale::cli
