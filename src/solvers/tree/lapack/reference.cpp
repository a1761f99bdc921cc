// reference - LAPACK's form of factors, a system after the other.
#include "solvers/tree/lapack/problem.hpp"

namespace wale::tree {
namespace {

void run_lapack_reference(chain_lu_job& job) {
    if (job.rhs.data != nullptr) {
        for (index_t v = 0; v < job.rhs.count; ++v) solve_lapack(job, v);
        return;
    }
    verdict bad{job.status};
    for (index_t s = 0; s < job.a.diagonal.count; ++s) {
        bad.begin(s);
        const index_t row = factor_lapack(job, s);
        if (row >= 0) bad.note(s, row);
    }
    bad.report(*job.result);
}

}  // namespace

extern constinit const catalogue::row<chain_lu_job> lapack_reference_plain{
    "reference/plain",
    "LAPACK's form, a system after the other",
    run_lapack_reference,
    nullptr,
    nullptr,
    true};

}  // namespace wale::tree
