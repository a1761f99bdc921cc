// lu - what the parts of the verb share: what a run found out, and how it is command.
#pragma once

#include <string>
#include <wale/lu_refined.hpp>
#include <wale/matrix_file.hpp>
#include <wale/shared_matrices.hpp>

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
    bool verified = false;
    report solve;                // of solve and inverse
    double residual_ratio = -1;  // |P A - L U| / (max(m, n) |A| eps), 1-norm
    double backward_ratio = -1;  // of solve: |b - A x| / (n eps (|A| |x| + |b|)), the worst column, 1-norm
    double inverse_ratio = -1;   // of inverse: |A X v - v| / (n eps |A| |X| |v|), one v
    double hpl_ratio = -1;  // of ranks: |b - A x| / (n eps (|A| |x| + |b|)) in the largest norm, eps 2^-53
    double largest_error = -1;  // of solve, where the solution is known
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
/// |A X v - v| / (n eps |A| |X| |v|) in the 1-norm, of one vector v: at most the ratio |A X - I| / (n eps |A|
/// |X|) of LAPACK's tests, which is small for inverses that solve A X = I by substitution, and, where the
/// matrix is not singular to working precision, for those that multiply by inverses of diagonal blocks.
/// O(n^2). Host memory.
[[nodiscard]] double inverse_ratio(const const_matrices& a, const const_matrices& x);
/// b = A (1, ..., 1), or with A^T. Host memory.
void fill_for_ones(const const_matrices& a, const matrices& b, bool transposed);
/// max |x - 1|
[[nodiscard]] double largest_error_from_ones(const const_matrices& x);

/// |b - A x| / (n eps (|A| |x| + |b|)) of HPL, in the largest norm, the worst column; eps is half of the
/// distance from 1 to the next number. Good below 16. Host memory.
[[nodiscard]] double hpl_ratio(const const_matrices& a, const const_matrices& x, const const_matrices& b,
                               bool transposed);

/// What the first rank says, on all ranks. Collective.
[[nodiscard]] std::string of_first(const std::string& own);
[[nodiscard]] matrix_file_data of_first(matrix_file_data&& m);

/// The columns that this rank has of a matrix that the first rank has read (lu_ranks.cpp). Collective.
class shared_matrix {
public:
    explicit shared_matrix(const matrix_file_data& first);
    [[nodiscard]] const matrix_shape& whole() const { return whole_; }
    [[nodiscard]] matrices own() const { return {elements_.data(), part_}; }
    /// Brings the columns of all ranks back into the first rank's matrix.
    void gather_to(const matrix_file_data& first) const;

private:
    matrix_shape whole_, part_;
    memory elements_;
};

}  // namespace wale::cli
