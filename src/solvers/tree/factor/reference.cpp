// reference - factors of chains as the plain elimination leaves them.
#include <optional>

#include "solvers/tree/elimination/plain.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {
namespace {

/// [orientation][system]: A and its transpose; none where the system has no rows.
template <class T>
using kept = std::vector<std::optional<elimination<T>>>;
template <class T>
struct both {
    kept<T> as_is, transposed;
};

template <class T>
void solve_kept(const chain_factors& f, const vectors& rhs, bool transposed, bool, tridiagonal_result&) {
    const auto& all = *static_cast<const both<T>*>(f.data.get());
    const index_t each = f.systems == 0 ? 0 : rhs.count / f.systems;
    for (index_t v = 0; v < rhs.count; ++v) {
        const auto& e = (transposed ? all.transposed : all.as_is)[static_cast<std::size_t>(v / each)];
        if (e) e->solve(line_of<T>(const_vectors(rhs), v), line_of<T>(rhs, v));
    }
}

template <class T>
kept<T> factor_all(const chain_factor_job& job, chain_matrix a, bool transposed, verdict& bad) {
    a.transposed = transposed;
    kept<T> all;
    for (index_t s = 0; s < a.systems(); ++s) {
        const bands<T> rows = bands_of<T>(a, s);
        bad.begin(s);
        if (rows.size == 0)
            all.emplace_back();
        else
            all.emplace_back(std::in_place, rows, job.pivoting, s, bad);
    }
    return all;
}

void factor_chains_reference(chain_factor_job& job) {
    with_any_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        verdict bad{job.status}, unused{nullptr};
        auto factors = std::make_shared<both<T>>();
        factors->as_is = factor_all<T>(job, job.a, false, bad);
        factors->transposed = factor_all<T>(job, job.a, true, unused);
        bad.report(*job.result);
        job.factors->data = factors;
        job.factors->solve = solve_kept<T>;
        job.factors->bytes = 2 * job.a.shape().elements() * index_t{5 * sizeof(T)};
    });
}

}  // namespace

extern constinit const catalogue::row<chain_factor_job> factor_reference_plain{
    "reference/plain",
    "one system after the other: the reference",
    factor_chains_reference,
    nullptr,
    nullptr,
    true};

}  // namespace wale::tree
