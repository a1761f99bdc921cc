// kept_on_host - factors of chains in host memory: multipliers, reciprocal pivots and upper diagonals of
// every system, as the elimination leaves them; the same numbers solve the transposed systems.
#pragma once

#include <memory>
#include <string>

#include "solvers/tree/elimination/lanes/stored_factors.hpp"

namespace wale::tree {

template <class T>
void solve_stored(const chain_factors& f, const vectors& rhs, bool transposed, bool,
                  tridiagonal_result& result) {
    const thread_shares shares(f.where, rhs.count, static_cast<double>(rhs.elements()));
    static_cast<const stored_factors<T>*>(f.data.get())->solve(rhs, rhs, transposed, shares, result);
}

/// `pitch` systems beside each other.
inline void factor_beside(chain_factor_job& job, index_t pitch) {
    const chain_matrix& a = job.a;
    const thread_shares shares(job.where, a.systems(), static_cast<double>(a.shape().elements()));
    with_any_type(a.type(), [&](auto zero) {
        using T = decltype(zero);
        const factor_form form{job.pivoting == pivoting::partial, a.periodic};
        const auto factors = std::make_shared<stored_factors<T>>(a, form, pitch);
        factors->factor(a, shares, job.status, *job.result);
        job.factors->data = factors;
        job.factors->solve = solve_stored<T>;
        job.factors->bytes = factors->bytes();
    });
    job.result->run.policy = "lanes=" + std::to_string(pitch);
}

}  // namespace wale::tree
