// shared_systems - tridiagonal systems and trees beyond one process: one system whose rows several ranks
// hold, and the row that a whole batch takes, for parts of the batch that are to have its bits.
#pragma once

#include <string>
#include <wale/hines.hpp>
#include <wale/ranks.hpp>
#include <wale/tridiagonal.hpp>

namespace wale {

/// Rows [first, last) of a system.
struct row_range {
    index_t first = 0, last = 0;
};
/// The rows of one system of `rows` unknowns that rank `rank` of `size` holds; perhaps none.
[[nodiscard]] row_range tridiagonal_share(index_t rows, scalar type, int rank, int size);

/// Solves one system together: every rank gives the rows tridiagonal_share() of the system and of one right
/// side, flat vectors, and gets the unknowns of these rows. Collective. By cpu/partition on the CPU, with the
/// bits of the same row on one rank; options.transposed is refused; a bad pivot is named in the order of the
/// partition, to all ranks. O(rows / ranks) operations and O(rows / 1000) bytes of messages a rank.
tridiagonal_result tridiagonal_solve(const ranks& group, const on_cpu& where, const const_vectors& lower,
                                     const const_vectors& diagonal, const const_vectors& upper,
                                     const const_vectors& rhs, const vectors& solution,
                                     const tridiagonal_options& options = {});

/// The name of the row that the call with the same arguments would run.
[[nodiscard]] std::string tridiagonal_variant(const execution& where, const const_vectors& lower,
                                              const const_vectors& diagonal, const const_vectors& upper,
                                              const const_vectors& rhs, const vectors& solution,
                                              const tridiagonal_options& options = {});
[[nodiscard]] std::string hines_variant(const execution& where, const hines_plan& plan,
                                        const const_vectors& diagonal, const const_vectors& upper,
                                        const const_vectors& lower, const const_vectors& rhs,
                                        const vectors& solution, const hines_options& options = {});

}  // namespace wale
