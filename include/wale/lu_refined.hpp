// lu_refined - solve to float64 accuracy from factors in a lower precision. Background:
// src/solvers/lu/README.md.
#pragma once

#include <wale/lu.hpp>

namespace wale {

enum class factor_precision {
    automatic,  // the lowest that pays on `where`
    f16,        // products of halves, sums in f32: CUDA
    tf32,       // products of 10-bit fractions, sums in f32: CUDA
    f32,
    f64  // no lower precision: factor, solve, one step of refinement
};
[[nodiscard]] const char* name_of(factor_precision p) noexcept;

struct lu_refined_options {
    std::string variant = "automatic";
    factor_precision precision = factor_precision::automatic;
    int max_iterations = 50;  // of refinement, before it falls back to f64
};

struct lu_refined_result {
    report run;
    factor_precision factored = factor_precision::f64;  // what the answer came from
    bool fell_back = false;                             // the lower precision did not converge
    std::string outcome;        // in words: "refined in 3 iterations from tf32 factors"
    int iterations = 0;         // of refinement, the most of all right-hand sides
    double backward_error = 0;  // max |b - A x| / (|A| |x| + |b|) in the infinity norm
    index_t first_zero = -1;    // of the f64 factorisation, where it came to that: x is then not finite
};

/// Solves A X = B, all f64, A square and kept, by factors in a lower precision and refinement until the
/// residual is at most sqrt(n) 2^-53 |A| |x| in the infinity norm, the rule of DSGESV (Langou et al. 2006;
/// with GMRES: Carson and Higham 2018); falls back to an f64 factorisation by itself where that does not
/// converge, and the outcome reports that. A and B may have elements of any finite size. b and x must not
/// overlap.
lu_refined_result lu_solve_refined(const execution& where, const const_matrices& a, const const_matrices& b,
                                   const matrices& x, const lu_refined_options& options = {});

}  // namespace wale
