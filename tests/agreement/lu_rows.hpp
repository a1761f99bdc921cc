// lu_rows - one call of a row of lu's tables, and what is asked of its answer by code that shares nothing
// with the library.
#pragma once

#include <optional>

#include "agreement/rows.hpp"
#include "agreement/stored_matrices.hpp"

namespace wale::agreement {

/// LAPACK's tests call a ratio of 30 good.
constexpr double good_ratio = 30;

struct factor_question {
    std::string what;
    std::vector<dense> all;
    placement how;
    lu_options options;
    bool grows = false;  // see matrix_kind
};

struct factor_answer {
    std::vector<dense> originals;  // as the scalar type holds them
    std::vector<dense> factors;
    std::vector<std::vector<std::int32_t>> pivots, permutations;  // of each matrix
    std::vector<std::int32_t> first_zero;
    std::vector<double> sign, log_magnitude;  // of square matrices
    std::vector<std::byte> bits;              // all memory of the factors
    double ratio = 0;                         // the library's own
    bool gaps_untouched = false;
    lu_result result;
};

/// All outputs of lu_factor; nothing if the row refuses, and then why.
[[nodiscard]] std::optional<factor_answer> ask_factor(const execution& where, const std::string& variant,
                                                      const factor_question& q, std::string* refusal);

/// What is wrong with an answer, in words; empty if it is right.
[[nodiscard]] std::string factor_flaw(const factor_question& q, const factor_answer& found);
/// |P A - L U| / (max(m, n) |A| eps) in the 1-norm, with room for the rounding of denormal numbers.
[[nodiscard]] double factor_ratio(const dense& a, const dense& factors,
                                  const std::vector<std::int32_t>& pivots, scalar type);
/// max|U| / max|A|
[[nodiscard]] double growth_of(const dense& a, const dense& factors);
/// The rows of a in the order of P A.
[[nodiscard]] dense permuted(dense a, const std::vector<std::int32_t>& pivots);
/// Pivots that exchange nothing, of n rows.
[[nodiscard]] std::vector<std::int32_t> identity_pivots(index_t n);

/// LU of a by LAPACK's xGETRF in the given type: the factors and the pivots, counted from 0.
[[nodiscard]] std::pair<dense, std::vector<std::int32_t>> lapack_factors(const dense& a, scalar type);
/// LAPACK's estimate of the reciprocal condition in the 1-norm.
[[nodiscard]] double lapack_condition(const dense& a);

/// Factors for the tests of solve and inverse, by LAPACK, in host memory.
struct factored {
    std::vector<dense> originals, factors;
    std::vector<std::vector<std::int32_t>> pivots;
    [[nodiscard]] std::vector<std::int32_t> all_pivots() const;
};
[[nodiscard]] factored factored_by_lapack(const std::vector<dense>& all, scalar type);

/// max over the columns of |b - A x| / (n eps (|A| |x| + |b|)) in the 1-norm.
[[nodiscard]] double solve_ratio(const dense& a, const dense& x, const dense& b, scalar type);

/// What rows are known to refuse: rows that never pivot refuse to, and few know tournaments. Anything else
/// that a row refuses is a failure: all sizes, types, orders, batches and lists of these tests are for every
/// row.
[[nodiscard]] bool may_refuse(const std::string& row, const factor_question& q);

/// Rows that are there to be looked at: they are not asked for the larger sizes.
[[nodiscard]] bool is_slow(const std::string& row);
/// Partial, of rows that never pivot none.
[[nodiscard]] pivoting usual_pivoting(const std::string& row);

}  // namespace wale::agreement
