// thomas - cpu/thomas: LAPACK's form of factors, systems or right sides to threads.
#include "solvers/tree/elimination/shares.hpp"
#include "solvers/tree/lapack/problem.hpp"

namespace wale::tree {
namespace {

void run_lapack(chain_lu_job& job) {
    const bool factors = job.rhs.data == nullptr;
    const vector_shape& shape = factors ? job.a.diagonal : job.rhs;
    const thread_shares shares(job.where, shape.count, static_cast<double>(shape.elements()));
    shares.run(shape.count, factors ? job.status : nullptr, *job.result,
               [&](index_t begin, index_t end, verdict& bad) {
                   for (index_t k = begin; k < end; ++k) {
                       if (!factors) {
                           solve_lapack(job, k);
                           continue;
                       }
                       bad.begin(k);
                       const index_t row = factor_lapack(job, k);
                       if (row >= 0) bad.note(k, row);
                   }
               });
}

}  // namespace

extern constinit const catalogue::row<chain_lu_job> lapack_cpu_thomas{
    "cpu/thomas", "LAPACK's form, systems to threads", run_lapack, nullptr, nullptr, true};

}  // namespace wale::tree
