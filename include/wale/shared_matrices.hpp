// shared_matrices - LU of one matrix beyond one process: each rank of a group holds columns of the matrix,
// and no rank needs the whole.
#pragma once

#include <vector>
#include <wale/lu.hpp>
#include <wale/ranks.hpp>

namespace wale {

/// Columns [first, last) of a matrix.
struct column_range {
    index_t first = 0, last = 0;
};
/// The columns of `whole` that rank `rank` of `size` holds, in the order in which the rank holds them;
/// perhaps none. Blocks of as many columns as the shape of the matrix says are dealt to the ranks in turn
/// (1-D block-cyclic).
[[nodiscard]] std::vector<column_range> lu_share(const matrix_shape& whole, int rank, int size);
/// A column-major matrix of these columns, without gaps.
[[nodiscard]] matrix_shape lu_part(const matrix_shape& whole, int rank, int size);

/// Factors one matrix together: every rank gives the columns lu_share() of `whole`, as many rows as `whole`,
/// in place, in either order. Collective. Host memory. All ranks get the arrays of `out`, which are those of
/// the whole matrix, and the same result, which says growth where that is asked; options.condition and
/// asynchronous are refused. The bits do not depend on the number of ranks nor of threads. Rows:
/// `shared_factor` of `wale list lu`.
lu_result lu_factor(const ranks& group, const on_cpu& where, const matrix_shape& whole, const matrices& own,
                    const lu_outputs& out, const lu_options& options = {});

/// Solves A X = B with the factors that the ranks hold. Every rank gives all right-hand sides, alike, in
/// memory of its own, and gets all of X in place. Collective. The bits do not depend on the number of ranks.
/// One right-hand side is solved by one rank after the other; as many parts of right-hand sides as there are
/// ranks travel round them, each part at another rank.
lu_solve_result lu_solve(const ranks& group, const on_cpu& where, const matrix_shape& whole,
                         const const_matrices& own_factors, const std::int32_t* pivots, const matrices& b,
                         const lu_solve_options& options = {});

}  // namespace wale
