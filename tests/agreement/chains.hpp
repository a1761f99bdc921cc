// chains - one call of tridiagonal_solve, and what is asked of its answer by code that shares nothing with
// the library.
#pragma once

#include <optional>

#include "agreement/stored_vectors.hpp"

namespace wale::agreement {

enum class chain_kind {
    dominant,       // a heavy diagonal: needs no pivots
    random,         // needs them
    stiff,          // 1e3 times heavier rows take turns with light ones, still dominant
    zero_diagonal,  // of complex numbers every third element
    both_ways       // solutions grow in one direction and decay in the other
};

struct chain_question {
    vector_shape matrix, rhs;
    chain_kind kind = chain_kind::dominant;
    unsigned seed = 1;
    bool in_place = true;
    tridiagonal_options options{};
    [[nodiscard]] std::string what() const;
};

template <class V>
struct chain_answer_of {
    values_of<V> lower, diagonal, upper, rhs, solution;
    std::vector<std::byte> bits;  // of the solution's memory
    std::vector<std::int64_t> status;
    bool inputs_untouched = false, gaps_untouched = false;
    tridiagonal_result result;
};
using chain_answer = chain_answer_of<double>;

/// Whether the row declares that it cannot do this: every other refusal is a failure.
[[nodiscard]] bool may_refuse(const std::string& row, const chain_question& q);
/// The rows that take complex numbers.
[[nodiscard]] bool takes_complex_chains(const std::string& row);
/// Fails unless the row's answer is right, and the same bits for any number of threads. False if the row
/// refuses, which is a failure unless it may.
bool expect_chains_right(const named_row& row, const chain_question& q);

/// Nothing if the row refuses, and then why. V is std::complex<double> for the complex types.
template <class V = double>
[[nodiscard]] std::optional<chain_answer_of<V>> ask_chains(const execution& where, const std::string& variant,
                                                           const chain_question& q, std::string* refusal);

/// The largest |b - A x| / (eps (|A| |x| + |b|)) of all vectors, in the maximum norm, in long double.
template <class V>
[[nodiscard]] double chain_ratio(const chain_question& q, const chain_answer_of<V>& found);

/// Elimination without growth leaves a few roundings a row and a handful for each level of a recursion
/// (Higham 2002, theorem 9.12: backward error of a dominant or pivoted tridiagonal system is below
/// 4 eps + O(eps^2) componentwise in |L||U|, which is at most 3 |A|; parallel forms add a small factor).
constexpr double good_chain_ratio = 30;
/// Of complex numbers the error is below 4 |L||U| roundings (Higham 2002, theorem 9.14), each at most 3 in
/// complex products (2 sqrt 2: lemma 3.5) and 5 where a product with a reciprocal stands for a quotient;
/// |L||U| is at most 3 |A| of dominant chains. Partial pivoting by |re| + |im| leaves multipliers of at most
/// sqrt 2 and |L||U| of at most 3 (1 + sqrt 2) |A|, rings of bandwidth two as much.
constexpr double good_complex_ratio = 150;

/// The layouts that tests go through: number k of them for `count` vectors of `size`.
constexpr int layout_count = 8;
[[nodiscard]] vector_shape chain_shape(int k, scalar type, index_t size, index_t count);

}  // namespace wale::agreement
