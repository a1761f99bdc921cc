// hines - systems whose graph is a tree: each node couples to its parent only. With A(i, i) = diagonal[i],
// A(p, i) = upper[i], A(i, p) = lower[i] for p = parent[i]. A path is a tridiagonal system. (Hines 1984.)
// Background: src/solvers/tree/README.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <wale/execution.hpp>
#include <wale/report.hpp>
#include <wale/vectors.hpp>

namespace wale {

namespace tree {
struct topology;
}

struct hines_plan_options {
    bool forest = false;  // several roots are meant: many trees, of one or many forms, in one vector
};

/// What can be known from the parents alone: checked once, then used for any number of solves, on any
/// backend. Schedules are made at a backend's first use and kept. Copies share everything.
class hines_plan {
public:
    /// parent[i]: the parent of node i, or -1 of a root; host memory. Nodes may stand in any order. Throws
    /// bad_argument naming the node for a parent out of range, a cycle, no root, or several without `forest`.
    /// O(n), without recursion.
    explicit hines_plan(std::span<const std::int32_t> parent, const hines_plan_options& options = {});
    [[nodiscard]] index_t size() const noexcept;      // nodes
    [[nodiscard]] index_t trees() const noexcept;     // roots
    [[nodiscard]] index_t branches() const noexcept;  // nodes with two children or more
    [[nodiscard]] index_t depth() const noexcept;     // edges from a root to the farthest leaf
    [[nodiscard]] bool depth_first() const noexcept;  // every node after its parent, each subtree contiguous
    [[nodiscard]] const tree::topology& topology() const noexcept { return *topology_; }

private:
    std::shared_ptr<const tree::topology> topology_;
};

struct hines_options {
    std::string variant = "automatic";  // "cuda/contraction", or "contraction" on the backend of `where`
    /// Where the eliminated diagonal is to be written, of the shape of rhs; data null: not wanted. Of
    /// schedules that eliminate leaves first, in the caller's numbering; others refuse.
    vectors eliminated{};
    bool transposed = false;    // solve A^T x = b: upper and lower change places
    bool asynchronous = false;  // as in tridiagonal_options
    /// [vectors] in memory of `where`; null: not wanted. Of each the lowest node whose pivot was 0 or not
    /// finite while the pivots of all nodes below it were good, -1: none. After an asynchronous call, or
    /// where `eliminated` is the memory of a coefficient, perhaps an ancestor of that node.
    std::int64_t* status = nullptr;
};

struct hines_result {
    report run;
    index_t first_bad_system = -1;  // the first vector with a pivot that was 0 or not finite, and
    index_t first_bad_row = -1;     // its node, as in `status`
};

/// Solves one system of the plan's topology for each vector. All vectors have one shape, of plan.size()
/// elements; rhs and solution may be the same memory. upper and lower of the same data: symmetric, read
/// once. upper and lower of roots are not used, but must be readable. From the leaves to the roots, then
/// back. O(n) operations; no exchange of rows: for diagonally dominant matrices, as those of cables are.
/// The same bits from run to run and for any number of threads.
hines_result hines_solve(const execution& where, const hines_plan& plan, const const_vectors& diagonal,
                         const const_vectors& upper, const const_vectors& lower, const const_vectors& rhs,
                         const vectors& solution, const hines_options& options = {});
/// In place: rhs becomes the solution.
hines_result hines_solve(const execution& where, const hines_plan& plan, const const_vectors& diagonal,
                         const const_vectors& upper, const const_vectors& lower, const vectors& rhs,
                         const hines_options& options = {});
/// With a plan for this call only.
hines_result hines_solve(const execution& where, std::span<const std::int32_t> parent,
                         const const_vectors& diagonal, const const_vectors& upper,
                         const const_vectors& lower, const vectors& rhs, const hines_options& options = {});

/// max over the vectors of |b - A x| / (|A| |x| + |b|) in the maximum norm, as tridiagonal_residual.
[[nodiscard]] double hines_residual(const execution& where, const hines_plan& plan,
                                    const const_vectors& diagonal, const const_vectors& upper,
                                    const const_vectors& lower, const const_vectors& rhs,
                                    const const_vectors& solution, bool transposed = false);

}  // namespace wale
