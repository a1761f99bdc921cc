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
/// |P A - L U| / (max(m, n) |A| eps) in the 1-norm, with an allowance for the rounding of denormal numbers.
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

/// What rows may refuse, for each operation. Anything else that a row refuses is a failure, and so is an
/// answer to what the row is declared to refuse. Rows that never pivot refuse to, and few know tournaments.
[[nodiscard]] bool may_refuse(const std::string& row, pivoting p);
/// A matrix to factor, solve with or invert.
[[nodiscard]] bool may_refuse(const std::string& row, index_t rows, scalar type);
/// Of lu_solve_refined.
[[nodiscard]] bool may_refuse(const std::string& row, factor_precision p);

/// Rows that are there to be looked at: they are not asked for the larger sizes.
[[nodiscard]] bool is_slow(const std::string& row);
/// Partial, of rows that never pivot none.
[[nodiscard]] pivoting usual_pivoting(const std::string& row);
/// Those that the row does not refuse.
[[nodiscard]] std::vector<pivoting> pivotings_of(const std::string& row);

/// The fixture of an operation: `ask` calls the row, `trace` names a question in messages.
template <class Question, auto ask, auto trace>
class lu_row_test : public row_test {
protected:
    [[nodiscard]] static std::string trace_of(const Question& q, int threads) { return trace(q, threads); }
    /// The row's answer; nothing if the row refuses, which is a failure.
    [[nodiscard]] static auto answer(const Question& q, int threads = 1) {
        std::string refusal;
        auto found = ask(where(threads), GetParam().name, q, &refusal);
        EXPECT_TRUE(found) << trace_of(q, threads) << ": " << refusal;
        return found;
    }
    /// `check` sees the answer of each number of threads; all answers have the same bits.
    template <class Check>
    static void expect_of_all_threads(const Question& q, Check check) {
        std::vector<std::byte> bits;
        for (const int threads : thread_counts()) {
            const auto found = answer(q, threads);
            if (!found) return;
            check(*found, trace_of(q, threads));
            if (threads == thread_counts().front())
                bits = found->bits;
            else
                EXPECT_TRUE(bits == found->bits) << "other bits: " << trace_of(q, threads);
        }
    }
};

/// A row under an entry of WALE_TUNING: another row of a tuning table, another number of resident blocks.
struct tuned_lu_row : named_row {
    scalar type = scalar::f64;
    wale::pivoting pivoting = wale::pivoting::partial;
};

/// What WALE_TUNING can change about a row.
struct lu_tunable {
    const char* row;
    const char* table;
    std::vector<std::size_t> f32, f64;  // numbers of rows of the table
    wale::pivoting pivoting = wale::pivoting::partial;
    const char* blocks = nullptr;  // the entry that bounds how many thread blocks are resident
};
/// Numbers below `end`, for both types.
[[nodiscard]] std::vector<std::size_t> numbers_below(std::size_t end);

/// Of the tunables those whose rows are there, with each number, and each of them with any, one and three
/// blocks.
[[nodiscard]] std::vector<tuned_lu_row> tuned_lu_rows(const std::vector<named_row>& rows,
                                                      const std::vector<lu_tunable>& tunables);
[[nodiscard]] std::string tuned_name(const testing::TestParamInfo<tuned_lu_row>& info);

class tuned_lu_test : public row_test_of<tuned_lu_row> {
protected:
    [[nodiscard]] static execution where() { return row_test_of::where(2); }
};

}  // namespace wale::agreement
