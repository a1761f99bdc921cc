// lapack - factors in the form of LAPACK's xGTTRF and xGTTRS, in the caller's arrays: the same operations in
// the same order, so that factors can be exchanged with LAPACK.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/clock.hpp"
#include "cuda/reachable.hpp"
#include "solvers/tree/chains/shares.hpp"
#include "solvers/tree/check.hpp"
#include "variants/run.hpp"

namespace wale {
namespace tree {
namespace {

/// One system. T: of the numbers, const where they are factors to solve with.
template <class T>
struct lapack_rows {
    line<T> lower, diagonal, upper, second;
    std::int32_t* pivots;
    index_t size;
    [[nodiscard]] bool exchanged(index_t i) const { return pivots[i] != i + 1; }
};
template <class T>
[[nodiscard]] lapack_rows<T> rows_of(const tridiagonal_lu& a, index_t system) {
    return {line_of<T>(a.lower, system),  line_of<T>(a.diagonal, system),      line_of<T>(a.upper, system),
            line_of<T>(a.second, system), a.pivots + system * a.diagonal.size, a.diagonal.size};
}

/// The first pivot that is 0, or -1.
template <class T>
index_t factor(const lapack_rows<T>& a) {
    const auto& [lower, diagonal, upper, second, pivots, n] = a;
    for (index_t i = 0; i < n; ++i) pivots[i] = static_cast<std::int32_t>(i + 1);
    for (index_t i = 0; i + 2 < n; ++i) second[i] = T(0);
    for (index_t i = 0; i + 1 < n; ++i) {
        if (std::fabs(diagonal[i]) >= std::fabs(lower[i])) {
            if (diagonal[i] == T(0)) continue;
            lower[i] = lower[i] / diagonal[i];
            diagonal[i + 1] -= lower[i] * upper[i];
            continue;
        }
        const T factor = diagonal[i] / lower[i], above = upper[i];
        diagonal[i] = lower[i];
        lower[i] = factor;
        upper[i] = diagonal[i + 1];
        diagonal[i + 1] = above - factor * upper[i];
        if (i + 2 < n) {
            second[i] = upper[i + 1];
            upper[i + 1] = -factor * upper[i + 1];
        }
        ++pivots[i];
    }
    for (index_t i = 0; i < n; ++i)
        if (diagonal[i] == T(0)) return i;
    return -1;
}

template <class T>
void solve(const lapack_rows<T>& a, const line<T>& x) {
    for (index_t i = 0; i + 1 < a.size; ++i) {
        if (a.exchanged(i)) std::swap(x[i], x[i + 1]);
        x[i + 1] -= a.lower[i] * x[i];
    }
    for (index_t i = a.size - 1; i >= 0; --i) {
        if (i + 1 < a.size) x[i] -= a.upper[i] * x[i + 1];
        if (i + 2 < a.size) x[i] -= a.second[i] * x[i + 2];
        x[i] /= a.diagonal[i];
    }
}

template <class T>
void solve_transposed(const lapack_rows<T>& a, const line<T>& x) {
    for (index_t i = 0; i < a.size; ++i) {
        if (i >= 1) x[i] -= a.upper[i - 1] * x[i - 1];
        if (i >= 2) x[i] -= a.second[i - 2] * x[i - 2];
        x[i] /= a.diagonal[i];
    }
    for (index_t i = a.size - 2; i >= 0; --i) {
        x[i] -= a.lower[i] * x[i + 1];
        if (a.exchanged(i)) std::swap(x[i], x[i + 1]);
    }
}

void run_lapack(chain_lu_job& job) {
    const index_t systems = job.a.diagonal.count;
    const vector_shape& shape = job.rhs.data ? job.rhs : job.a.diagonal;
    const thread_shares shares(job.where, shape.count, static_cast<double>(shape.elements()));
    with_type(shape.type, [&](auto zero) {
        using T = decltype(zero);
        if (job.rhs.data == nullptr)
            return shares.run(systems, job.status, *job.result,
                              [&](index_t begin, index_t end, verdict& bad) {
                                  for (index_t s = begin; s < end; ++s) {
                                      bad.begin(s);
                                      const index_t row = factor(rows_of<T>(job.a, s));
                                      if (row >= 0) bad.note(s, row);
                                  }
                              });
        const index_t each = shape.count / systems;
        shares.run(shape.count, nullptr, *job.result, [&](index_t begin, index_t end, verdict&) {
            for (index_t v = begin; v < end; ++v) {
                const lapack_rows<T> a = rows_of<T>(job.a, v / each);
                const line<T> x = line_of<T>(job.rhs, v);
                job.transposed ? solve_transposed(a, x) : solve(a, x);
            }
        });
    });
}

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
            throw bad_argument(std::string(p.name) + ": is " + std::to_string(p.v->count) + " x " +
                               std::to_string(p.v->size) + " " + name_of(p.v->type) + ", expected " +
                               std::to_string(a.diagonal.count) + " x " + std::to_string(p.size) + " " +
                               name_of(a.diagonal.type) + ", of one size each");
        for (const part* other = parts; factors && other != &p; ++other)
            check_apart(p.name, *p.v, other->name, *other->v, false);
    }
    if (n > std::numeric_limits<std::int32_t>::max())
        throw bad_argument("diagonal: has size " + std::to_string(n) + ", expected at most 2147483647");
    cuda::check_reachable(job.where, "pivots", a.pivots, n * a.diagonal.count);
}

/// A pivot names its row or the next; the last row has none.
void check_pivots(const tridiagonal_lu& a) {
    const index_t n = a.diagonal.size;
    for (index_t k = 0; k < n * a.diagonal.count; ++k) {
        const index_t row = k % n + 1, last = std::min(row + 1, n);
        if (a.pivots[k] != row && a.pivots[k] != last)
            throw bad_argument("pivots[" + std::to_string(k) + "]: is " + std::to_string(a.pivots[k]) +
                               ", expected " + std::to_string(row) +
                               (row == last ? "" : " or " + std::to_string(last)));
    }
}

}  // namespace

chain_lu_table& chain_lu_variants() {
    static chain_lu_table table{
        "tree",
        "tridiagonal_lu",
        {{"cpu/thomas", backend::cpu, "LAPACK's form, systems to threads", catalogue::never_refuses, nullptr,
          run_lapack},
         {"reference/plain", backend::reference, "LAPACK's form, a system after the other",
          catalogue::never_refuses, nullptr, run_lapack}}};
    return table;
}

}  // namespace tree

tridiagonal_result tridiagonal_factor(const execution& where, const tridiagonal_lu& a,
                                      const tridiagonal_options& options) {
    using namespace tree;
    tridiagonal_result result;
    chain_lu_job job{.where = where, .a = a, .rhs = {}, .status = options.status, .result = &result};
    check_lapack(job, true);
    if (options.status) cuda::check_reachable(where, "options.status", options.status, a.diagonal.count);
    result.run.work = static_cast<double>(a.diagonal.elements());
    catalogue::run(chain_lu_variants(), options.variant, job, result.run);
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
    (void)catalogue::select(chain_lu_variants(), backend_of(where), options.variant, job);  // on the host
    check_pivots(factors);
    catalogue::run(chain_lu_variants(), options.variant, job, result.run);
    return result;
}

}  // namespace wale
