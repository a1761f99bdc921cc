// reference - defines the solution of chains: read elimination/plain.hpp first.
#include "solvers/tree/elimination/plain.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {

namespace {

void solve_chains_reference(chain_job& job) {
    if (job.workspace) {
        *job.workspace = 0;  // but for one system at a time
        return;
    }
    verdict bad{job.status};
    for (index_t s = 0; s < job.a.systems(); ++s) {
        bad.begin(s);
        with_any_type(job.a.type(), [&](auto zero) {
            using T = decltype(zero);
            const bands<T> a = bands_of<T>(job.a, s);
            if (a.size == 0) return;
            const elimination<T> e(a, job.pivoting, s, bad);
            for (index_t v = s * job.right_sides(); v < (s + 1) * job.right_sides(); ++v)
                e.solve(line_of<T>(job.rhs, v), line_of<T>(job.solution, v));
        });
    }
    bad.report(*job.result);
}

}  // namespace

extern constinit const catalogue::row<chain_job> chains_reference_plain{
    "reference/plain",
    "eliminate downwards, substitute upwards: the reference",
    solve_chains_reference,
    nullptr,
    nullptr,
    true};

}  // namespace wale::tree
