// lu - dense LU factorisation, P A = L U: factor, solve, invert, determinant; one matrix or many. Background:
// src/solvers/lu/README.md. Matrices of one batch have one shape, or each its own (the overloads with span).
// Elements are float32, float64, complex64 or complex128; pivots of complex matrices are those of the largest
// |re| + |im|, as in LAPACK. L, of unit diagonal, lies below U in the memory of A, as LAPACK's xGETRF has it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <wale/execution.hpp>
#include <wale/matrix.hpp>
#include <wale/pivoting.hpp>
#include <wale/report.hpp>

namespace wale {

struct lu_options {
    std::string variant = "automatic";  // "cuda/resident", or "resident" on the backend of `where`
    /// none: the growth factor reports the quality.
    wale::pivoting pivoting = wale::pivoting::partial;
    /// pivoting::none: a pivot below perturbation * max|A| in magnitude is moved to that, keeping its sign
    /// (static pivoting, Li and Demmel 1998); sqrt(eps) is usual. 0: pivots stay as they are.
    double perturbation = 0;
    bool growth = false;     // measure the growth factor: two more passes over the matrix
    bool condition = false;  // estimate the reciprocal condition: a few solves (Higham 1988, xGECON)
    /// CUDA: return when the work is queued on the caller's stream. The result then holds no times and no
    /// numerical outcome; the arrays of lu_outputs do. Not with growth or condition.
    bool asynchronous = false;
};

/// Arrays to fill, in memory that `where` can reach, for one matrix after the other. Null: not wanted.
struct lu_outputs {
    std::int32_t* pivots = nullptr;  // [min(m, n)] row k was exchanged with row pivots[k] >= k, counted from
                                     // 0; wanted unless pivoting is none
    std::int32_t* permutation = nullptr;  // [m] row i of P A is row permutation[i] of A
    std::int32_t* first_zero = nullptr;   // [1] the first k with U(k, k) = 0, else -1
    double* sign = nullptr;               // [1] of the determinant: -1, 0, 1 or NaN; of complex matrices
                                          // [2], the parts of a number of magnitude 1, 0 or NaN; square ones
    double* log_magnitude = nullptr;      // [1] log |det A|; -inf where singular; square matrices
};

struct lu_result {
    report run;
    index_t singular = 0;         // matrices with a pivot that is exactly 0: the factors are complete, as in
                                  // LAPACK, but a solve would divide by 0
    index_t first_singular = -1;  // the first such matrix, and
    index_t first_zero = -1;      // its first k with U(k, k) = 0
    index_t not_finite = 0;       // matrices with an infinite or NaN pivot
    index_t perturbed = 0;        // pivots that were moved
    int permutation_sign = 1;     // of P; of the first matrix
    double growth = -1;           // max|U| / max|A|, the largest of all matrices; -1: not measured
    double reciprocal_condition = -1;  // in the 1-norm, the smallest of all square matrices; -1: not asked
    bool diverged = false;  // unpivoted: not finite, or growth above 1 / sqrt(eps), half of the digits gone
};

/// Factors A, m x n, in place. 2/3 n^3 operations for m = n. The same bits for any number of threads and from
/// run to run. A NaN or Inf in A shows as `not_finite`; the pivots are rows of the matrix all the same.
lu_result lu_factor(const execution& where, const matrices& a, const lu_outputs& out,
                    const lu_options& options = {});
lu_result lu_factor(const execution& where, const matrices& a, std::int32_t* pivots,
                    const lu_options& options = {});
/// Matrices of any shapes, all of one scalar type. `all` lies in host memory, what it points to need not.
lu_result lu_factor(const execution& where, std::span<const matrices> all, const lu_outputs& out,
                    const lu_options& options = {});

struct lu_solve_options {
    std::string variant = "automatic";
    bool transposed = false;  // solve A^T X = B
    bool conjugated = false;  // of complex matrices the conjugate of A, or with transposed A^H
    bool asynchronous = false;
};
struct lu_solve_result {
    report run;
};

/// Solves A X = B for square A from its factors, in place in B, n x (any number of right-hand sides), of A's
/// scalar type. pivots: what lu_factor wrote; null after pivoting::none. 2 n^2 operations a right-hand side.
/// Divides by U's diagonal as it is: ask lu_result::singular first.
lu_solve_result lu_solve(const execution& where, const const_matrices& factors, const std::int32_t* pivots,
                         const matrices& b, const lu_solve_options& options = {});
lu_solve_result lu_solve(const execution& where, std::span<const const_matrices> factors,
                         const std::int32_t* pivots, std::span<const matrices> b,
                         const lu_solve_options& options = {});

/// Overwrites the factors of square matrices with the inverses. 4/3 n^3 operations.
lu_solve_result lu_inverse(const execution& where, const matrices& factors, const std::int32_t* pivots,
                           const lu_solve_options& options = {});
lu_solve_result lu_inverse(const execution& where, std::span<const matrices> factors,
                           const std::int32_t* pivots, const lu_solve_options& options = {});

/// sign * exp(log_magnitude), which neither over- nor underflows.
struct lu_determinant_result {
    double sign = 1;           // -1, 0, 1 or NaN; of a complex matrix the real part of one of magnitude 1
    double log_magnitude = 0;  // -inf where singular
    double sign_imaginary = 0;
};
/// The determinant from the factors of one square matrix. 1 for a matrix without rows.
[[nodiscard]] lu_determinant_result lu_determinant(const execution& where, const const_matrices& factors,
                                                   const std::int32_t* pivots);
/// Of many: sign[count] (of complex matrices [2 * count], both parts), log_magnitude[count], where `where`
/// is.
void lu_determinant(const execution& where, const const_matrices& factors, const std::int32_t* pivots,
                    double* sign, double* log_magnitude);

/// max over the batch of |P A - L U| / (max(m, n) |A| eps) in the 1-norm (LAPACK's test ratio): good below
/// 30, NaN where not finite. 2/3 n^3 operations.
[[nodiscard]] double lu_residual_ratio(const execution& where, const const_matrices& a,
                                       const const_matrices& factors, const std::int32_t* pivots);

}  // namespace wale
