// thomas - cpu/thomas and cpu/lanes: multipliers, reciprocal pivots and upper diagonals of every system, as
// the elimination leaves them; one system after the other, or systems in the lanes of vectors. The same
// numbers solve the transposed systems.
#include "solvers/tree/chains/lanes/stored_factors.hpp"
#include "solvers/tree/factor/cpu.hpp"

namespace wale::tree {
namespace {

template <class T>
void solve_stored(const chain_factors& f, const vectors& rhs, bool transposed, bool,
                  tridiagonal_result& result) {
    const thread_shares shares(f.where, rhs.count, static_cast<double>(rhs.elements()));
    static_cast<const stored_factors<T>*>(f.data.get())->solve(rhs, rhs, transposed, shares, result);
}

void factor_beside(chain_factor_job& job, index_t pitch) {
    const chain_matrix& a = job.a;
    const thread_shares shares(job.where, a.systems(), static_cast<double>(a.shape().elements()));
    with_type(a.type(), [&](auto zero) {
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

}  // namespace

std::string refuses_lane_factors(const chain_factor_job& job) {
    return job.a.shape().ragged() ? "takes systems of one size only" : "";
}
bool suits_lane_factors(const chain_factor_job& job) {
    return job.a.systems() >= vector_lanes(job.a.type());
}
void factor_chains_lanes(chain_factor_job& job) {
    const lanes_policy& policy = chosen_lanes(bytes_of(job.a.type()));
    const index_t vector = vector_lanes(job.a.type());
    const index_t line = std::max<index_t>(job.a.shape().size, 1) * vector * bytes_of(job.a.type());
    factor_beside(job, vector * std::clamp(policy.scratch_bytes / line, index_t{1}, policy.least));
}

void factor_chains_thomas(chain_factor_job& job) {
    factor_beside(job, 1);
}

}  // namespace wale::tree
