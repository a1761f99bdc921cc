// tridiagonal - systems lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = rhs[i]: one, or many; solve,
// factor once and solve often. Background: src/solvers/tree/README.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <wale/execution.hpp>
#include <wale/pivoting.hpp>
#include <wale/report.hpp>
#include <wale/vectors.hpp>

namespace wale {

struct tridiagonal_options {
    std::string variant = "automatic";  // "cuda/pcr_thomas", or "pcr_thomas" on the backend of `where`
    /// partial: any regular matrix, as LAPACK's xGTSV; periodic ones with a growth of at most 7 (eliminated
    /// from both ends inwards). none: faster, for diagonally dominant or positive definite ones;
    /// tridiagonal_residual shows what others have lost.
    wale::pivoting pivoting = wale::pivoting::partial;
    /// lower[0] couples the first unknown to the last, upper[n-1] the last to the first (cyclic). Without it
    /// these two elements are not used, but must be readable. At n = 1 and 2 the terms that meet are added.
    bool periodic = false;
    bool transposed = false;  // solve A^T x = b
    /// lower, diagonal and upper need not survive: they must be writable then, and variants that would take
    /// memory of their own for intermediate results use theirs. Without it they are preserved.
    bool overwrite = false;
    /// CUDA: return when the work is queued on the caller's stream. The result then holds neither times nor
    /// an outcome; `status` does.
    bool asynchronous = false;
    /// [systems] in memory of `where`; null: not wanted. Of each system the first row whose pivot was 0 or
    /// not finite, as LAPACK's xGTSV names it (INFO - 1), -1 if none was; of a periodic one with pivoting the
    /// first in the order 0, n - 1, 1, n - 2, ... Variants eliminate in different orders: whether rounding
    /// leaves a pivot of 0 depends on the variant, and after an asynchronous call, or with `overwrite`, also
    /// which row.
    std::int64_t* status = nullptr;
};

struct tridiagonal_result {
    report run;
    index_t first_bad_system = -1;  // the first system with a pivot that was 0 or not finite, and
    index_t first_bad_row = -1;     // its row, as in `status`; the solution is not finite or meaningless
};

/// Solves all systems. lower, diagonal, upper: one shape, a vector a system. rhs and solution: one shape,
/// apart or the same memory; as many vectors as there are systems, or k times as many: then vectors s k to
/// s k + k - 1 belong to system s (one matrix shared by all: lower, diagonal, upper of count 1). All of one
/// scalar type; complex numbers choose pivots by |re| + |im|, as LAPACK does. O(n) operations; the best
/// schedules move 5 words an unknown. The same bits from run to run and for any number of threads. (Thomas
/// 1949; Wang 1981, Hockney 1965 for the parallel forms.)
tridiagonal_result tridiagonal_solve(const execution& where, const const_vectors& lower,
                                     const const_vectors& diagonal, const const_vectors& upper,
                                     const const_vectors& rhs, const vectors& solution,
                                     const tridiagonal_options& options = {});
/// In place: rhs becomes the solution.
tridiagonal_result tridiagonal_solve(const execution& where, const const_vectors& lower,
                                     const const_vectors& diagonal, const const_vectors& upper,
                                     const vectors& rhs, const tridiagonal_options& options = {});

/// Bytes that the same call would take for itself in the memory of `where`; many variants take none. Reads
/// no element.
[[nodiscard]] index_t tridiagonal_workspace(const execution& where, const const_vectors& lower,
                                            const const_vectors& diagonal, const const_vectors& upper,
                                            const const_vectors& rhs, const vectors& solution,
                                            const tridiagonal_options& options = {});

/// The largest backward error of a solution that is worth its type, of chains and of trees: 1000 roundings.
[[nodiscard]] constexpr double good_backward_error(scalar type) noexcept {
    return 1000 * (is_single(type) ? 0x1p-24 : 0x1p-53);
}

/// max over the systems of |b - A x| / (|A| |x| + |b|) in the maximum norm, sums in double precision: the
/// normwise backward error, a few roundings when good, NaN where not finite. Norms may leave the range of
/// double precision. Heeds options.periodic and .transposed only.
[[nodiscard]] double tridiagonal_residual(const execution& where, const const_vectors& lower,
                                          const const_vectors& diagonal, const const_vectors& upper,
                                          const const_vectors& rhs, const const_vectors& solution,
                                          const tridiagonal_options& options = {});

/// Factors P A = L U as LAPACK's xGTTRF leaves them, in memory of the caller's; of one system or of many.
/// Each array has a layout of its own, none is ragged.
struct tridiagonal_lu {
    vectors lower;  // [n - 1] below the diagonal, without the element that is not used; then multipliers of L
    vectors diagonal;  // [n] then that of U
    vectors upper;     // [n - 1] above the diagonal; then the first superdiagonal of U
    vectors second;    // [n - 2] out: the second superdiagonal of U
    /// [systems * n] out: row i of system s changed places with row pivots[s n + i], i + 1 (itself) or i + 2:
    /// counted from 1, as LAPACK's IPIV.
    std::int32_t* pivots = nullptr;
};

/// Factors in place with partial pivoting, by LAPACK's operations in LAPACK's order. Options: variant,
/// status. The result and `status` name the first pivot of each system that is exactly 0, as INFO - 1; the
/// factors are complete all the same. On the host. O(n).
tridiagonal_result tridiagonal_factor(const execution& where, const tridiagonal_lu& a,
                                      const tridiagonal_options& options = {});
/// rhs becomes the solution of A x = rhs, or with options.transposed of A^T x = rhs, as xGTTRS finds it;
/// right sides as in tridiagonal_solve. Throws bad_argument for a pivot that no factorisation writes. Divides
/// by pivots of 0.
tridiagonal_result tridiagonal_solve(const execution& where, const tridiagonal_lu& factors,
                                     const vectors& rhs, const tridiagonal_options& options = {});

namespace tree {
struct chain_factors;
}

/// The factors of some systems, in memory of its own where `where` computes. Solving with them takes neither
/// division nor the matrix.
class tridiagonal_factors {
public:
    /// Options: variant, pivoting, periodic, status.
    tridiagonal_factors(const execution& where, const const_vectors& lower, const const_vectors& diagonal,
                        const const_vectors& upper, const tridiagonal_options& options = {});
    [[nodiscard]] const tridiagonal_result& result() const noexcept;  // of the factorisation
    [[nodiscard]] index_t bytes() const noexcept;                     // that the factors take
    /// rhs becomes the solution; vectors as in tridiagonal_solve, of any layout. Options: transposed,
    /// asynchronous. Any number of threads may call it at once.
    tridiagonal_result solve(const vectors& rhs, const tridiagonal_options& options = {}) const;

private:
    std::shared_ptr<const tree::chain_factors> factors_;
};

}  // namespace wale
