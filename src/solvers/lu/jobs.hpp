// jobs - one call of each operation, typeless, as its variants see it; and the tables of those variants.
// api.cpp has checked everything before a variant runs: shapes, types, strides, memory spaces, overlap.
#pragma once

#include <algorithm>
#include <span>
#include <vector>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>
#include <wale/ranks.hpp>

#include "variants/table.hpp"

namespace wale::lu {

/// The matrices of one call: `count` of one shape, or a list in which each has its own. Any extent may be 0.
/// M: matrices or const_matrices.
template <class M>
class batch_of {
public:
    batch_of() = default;
    batch_of(const M& uniform) : uniform_(uniform) {}
    batch_of(std::span<const M> list) : list_(list), listed_(true) {
        index_t at = 0;
        for (const M& m : list) {
            starts_.push_back(at);
            at += m.diagonal();
        }
        if (!list.empty()) uniform_.type = list.front().type;
    }
    [[nodiscard]] bool listed() const { return listed_; }  // else the members of uniform() hold for all
    [[nodiscard]] const M& uniform() const { return uniform_; }
    [[nodiscard]] std::span<const M> list() const { return list_; }
    [[nodiscard]] scalar type() const { return uniform_.type; }
    [[nodiscard]] index_t count() const { return listed_ ? std::ssize(list_) : uniform_.count; }
    [[nodiscard]] M operator[](index_t i) const {
        return listed_ ? list_[static_cast<std::size_t>(i)] : M(uniform_[i]);
    }
    /// Where the pivots of matrix i begin in lu_outputs::pivots.
    [[nodiscard]] index_t pivot_start(index_t i) const {
        return listed_ ? starts_[static_cast<std::size_t>(i)] : i * uniform_.diagonal();
    }
    /// The largest of f(matrix) over all, at least 0.
    template <class F>
    [[nodiscard]] index_t largest(F&& f) const {
        if (!listed_) return uniform_.count > 0 ? std::max<index_t>(0, f(uniform_)) : 0;
        index_t most = 0;
        for (const M& m : list_) most = std::max<index_t>(most, f(m));
        return most;
    }
    [[nodiscard]] index_t largest_rows() const {
        return largest([](const M& m) { return m.rows; });
    }
    [[nodiscard]] index_t largest_columns() const {
        return largest([](const M& m) { return m.columns; });
    }

private:
    M uniform_{};
    std::span<const M> list_;
    bool listed_ = false;
    std::vector<index_t> starts_;
};
using batch = batch_of<matrices>;
using const_batch = batch_of<const_matrices>;

/// Factor every matrix in place. A row writes factors and pivots (where out.pivots is there: always unless
/// pivoting is none, then k itself), and calls finish() (problem.hpp, cuda/finish.cuh) for all the rest, or
/// does that in its own pass.
struct factor_job {
    execution where;
    batch a;
    wale::pivoting pivoting = wale::pivoting::partial;
    lu_outputs out;
    /// [count] in memory of `where`: pivots below it in magnitude are moved to it (perturbed_pivot). Null:
    /// none.
    const double* smallest_pivot = nullptr;
    bool asynchronous = false;    // CUDA: no synchronisation; result->run.policy alone may be filled in
    lu_result* result = nullptr;  // run.policy, threads, device, iterations and the outcome, to be filled in
    [[nodiscard]] bool is_complex() const { return wale::is_complex(a.type()); }
};

/// Solve with the factors, in place in b: matrix i of b with factors i.
struct solve_job {
    execution where;
    const_batch factors;                   // square
    const std::int32_t* pivots = nullptr;  // null: P = I
    batch b;
    bool transposed = false;
    bool conjugated = false;  // complex: the conjugates of the factors' elements count
    bool asynchronous = false;
    lu_solve_result* result = nullptr;
    [[nodiscard]] bool is_complex() const { return wale::is_complex(factors.type()); }
};

/// Overwrite the factors of square matrices with the inverses.
struct inverse_job {
    execution where;
    batch a;
    const std::int32_t* pivots = nullptr;  // null: P = I
    bool asynchronous = false;
    lu_solve_result* result = nullptr;
    [[nodiscard]] bool is_complex() const { return wale::is_complex(a.type()); }
};

/// f64 solve by lower precision and refinement. One matrix; b and x are n x nrhs.
struct refined_job {
    execution where;
    const_matrices a;
    const_matrices b;
    matrices x;
    factor_precision precision = factor_precision::automatic;
    int max_iterations = 50;
    lu_refined_result* result = nullptr;
};

/// Factor one matrix whose columns the ranks of a group hold (shared_factor/shared/columns.hpp). A row writes
/// factors, pivots, run.policy, threads, device and `perturbed`; shared_api.cpp does all the rest.
struct shared_factor_job {
    execution where;
    const ranks* group = nullptr;  // perhaps an empty one
    matrix_shape whole;
    matrices own;
    wale::pivoting pivoting = wale::pivoting::partial;
    std::int32_t* pivots = nullptr;          // [diagonal of whole], on every rank
    const double* smallest_pivot = nullptr;  // as in factor_job
    lu_result* result = nullptr;
    [[nodiscard]] bool is_complex() const { return wale::is_complex(whole.type); }
};

/// Solve with these factors, in place in b, which all ranks have alike.
struct shared_solve_job {
    execution where;
    const ranks* group = nullptr;
    matrix_shape whole;  // square
    const_matrices own;
    const std::int32_t* pivots = nullptr;  // null: P = I
    matrices b;
    bool transposed = false;
    bool conjugated = false;
    lu_solve_result* result = nullptr;
    [[nodiscard]] bool is_complex() const { return wale::is_complex(whole.type); }
};

enum class measure {
    max_magnitude,        // max |a|; NaN where any element is
    max_magnitude_upper,  // of the elements on and above the diagonal: U's
    one_norm              // the largest column sum of magnitudes
};

/// A number for each matrix: internal, not in wale::variants().
struct measure_job {
    execution where;
    const_batch a;
    measure what = measure::max_magnitude;
    double factor = 1;         // of every element: a small one keeps the sums of large elements finite
    double* values = nullptr;  // [count] in memory of `where`
    bool asynchronous = false;
    [[nodiscard]] bool is_complex() const { return wale::is_complex(a.type()); }
};

/// sign and log |det| from factors: internal, not in wale::variants(). Arrays in memory of `where`.
struct determinant_job {
    execution where;
    const_batch factors;                   // square
    const std::int32_t* pivots = nullptr;  // null: P = I
    double* sign = nullptr;                // [count], of complex matrices [2 * count]
    double* log_magnitude = nullptr;       // [count]
    [[nodiscard]] bool is_complex() const { return wale::is_complex(factors.type()); }
};

/// max over the batch of |P A - L U| / (max(m, n) |A| eps), 1-norm: internal, not in wale::variants().
struct residual_job {
    execution where;
    const_batch a;
    const_batch factors;
    const std::int32_t* pivots = nullptr;  // null: P = I
    double ratio = 0;                      // out
    [[nodiscard]] bool is_complex() const { return wale::is_complex(factors.type()); }
};

using factor_table = catalogue::table<factor_job>;
using solve_table = catalogue::table<solve_job>;
using shared_factor_table = catalogue::table<shared_factor_job>;
using shared_solve_table = catalogue::table<shared_solve_job>;
using inverse_table = catalogue::table<inverse_job>;
using refined_table = catalogue::table<refined_job>;
using measure_table = catalogue::table<measure_job>;
using determinant_table = catalogue::table<determinant_job>;
using residual_table = catalogue::table<residual_job>;

/// The tables. The CUDA plugin appends its rows to them when it is loaded.
[[nodiscard]] factor_table& factor_rows();
[[nodiscard]] solve_table& solve_rows();
[[nodiscard]] shared_factor_table& shared_factor_rows();
[[nodiscard]] shared_solve_table& shared_solve_rows();
[[nodiscard]] inverse_table& inverse_rows();
[[nodiscard]] refined_table& refined_rows();
[[nodiscard]] measure_table& measure_rows();
[[nodiscard]] determinant_table& determinant_rows();
[[nodiscard]] residual_table& residual_rows();

/// The reciprocal condition in the 1-norm from the factors of A, and from the norm of `factor` times A
/// (condition.cpp).
[[nodiscard]] double reciprocal_condition(const execution& where, const const_matrices& factors,
                                          const std::int32_t* pivots, double one_norm, double factor);

/// Selects a variant, runs the job, reports (api.cpp); asks for no growth, no condition. For other
/// operations.
void run_factor(factor_job& job, const std::string& variant);
void run_solve(solve_job& job, const std::string& variant);
void run_measure(measure_job& job);

}  // namespace wale::lu
