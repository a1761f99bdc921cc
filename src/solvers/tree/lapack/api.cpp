// api - factors in the form of LAPACK's xGTTRF and xGTTRS, in the caller's arrays.
#include <algorithm>
#include <limits>

#include "base/argument.hpp"
#include "cuda/reachable.hpp"
#include "solvers/tree/check.hpp"
#include "variants/run.hpp"

namespace wale {
namespace tree {
namespace {

/// The arrays of `job`, which may be written where `factors` says so.
void check_lapack(const chain_lu_job& job, bool factors) {
    const tridiagonal_lu& a = job.a;
    const index_t n = a.diagonal.size;
    struct part {
        const char* name;
        const vectors* v;
        index_t size;
    };
    const part parts[] = {{"diagonal", &a.diagonal, n},
                          {"lower", &a.lower, std::max<index_t>(n - 1, 0)},
                          {"upper", &a.upper, std::max<index_t>(n - 1, 0)},
                          {"second", &a.second, std::max<index_t>(n - 2, 0)}};
    for (const part& p : parts) {
        check_vectors(job.where, p.name, *p.v, factors);
        if (p.v->type != a.diagonal.type || p.v->size != p.size || p.v->count != a.diagonal.count ||
            p.v->ragged())
            base::refuse(p.name,
                         "is " + std::to_string(p.v->count) + " x " + std::to_string(p.v->size) + " " +
                             name_of(p.v->type),
                         std::to_string(a.diagonal.count) + " x " + std::to_string(p.size) + " " +
                             name_of(a.diagonal.type) + ", of one size each");
        for (const part* other = parts; factors && other != &p; ++other)
            check_apart(p.name, *p.v, other->name, *other->v, false);
    }
    if (n > std::numeric_limits<std::int32_t>::max())
        base::refuse("diagonal", "has size " + std::to_string(n), "at most 2147483647");
    cuda::check_reachable(job.where, "pivots", a.pivots, n * a.diagonal.count);
}

/// A pivot names its row or the next; the last row has none.
void check_pivots(const tridiagonal_lu& a) {
    const index_t n = a.diagonal.size;
    for (index_t k = 0; k < n * a.diagonal.count; ++k) {
        const index_t row = k % n + 1, last = std::min(row + 1, n);
        if (a.pivots[k] != row && a.pivots[k] != last)
            base::refuse("pivots[" + std::to_string(k) + "]", "is " + std::to_string(a.pivots[k]),
                         std::to_string(row) + (row == last ? "" : " or " + std::to_string(last)));
    }
}

}  // namespace

}  // namespace tree

tridiagonal_result tridiagonal_factor(const execution& where, const tridiagonal_lu& a,
                                      const tridiagonal_options& options) {
    using namespace tree;
    tridiagonal_result result;
    chain_lu_job job{.where = where, .a = a, .rhs = {}, .status = options.status, .result = &result};
    check_lapack(job, true);
    if (options.status) cuda::check_reachable(where, "options.status", options.status, a.diagonal.count);
    result.run.work = static_cast<double>(a.diagonal.elements());
    catalogue::run(chain_lu_rows(), options.variant, job, result.run);
    return result;
}

tridiagonal_result tridiagonal_solve(const execution& where, const tridiagonal_lu& factors,
                                     const vectors& rhs, const tridiagonal_options& options) {
    using namespace tree;
    tridiagonal_result result;
    chain_lu_job job{
        .where = where, .a = factors, .rhs = rhs, .transposed = options.transposed, .result = &result};
    check_lapack(job, false);
    check_vectors(where, "rhs", rhs, true);
    chain_matrix shape_only;
    shape_only.diagonal = factors.diagonal;
    check_right_sides(shape_only, rhs);
    for (const vectors* v : {&factors.lower, &factors.diagonal, &factors.upper, &factors.second})
        check_apart("rhs", rhs, "the factors", *v, false);
    result.run.work = static_cast<double>(rhs.elements());
    if (rhs.elements() == 0) return result;
    (void)catalogue::select(chain_lu_rows(), backend_of(where), options.variant, job);  // on the host
    check_pivots(factors);
    catalogue::run(chain_lu_rows(), options.variant, job, result.run);
    return result;
}

}  // namespace wale
