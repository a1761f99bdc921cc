// scalapack - pxgetrf of ScaLAPACK on one row of processes, whose distribution is that of dealt_columns.
#include <string>
#include <vector>

#include "solvers/lu/shared_factor/shared/scalapack.hpp"

namespace wale::lu {
namespace {

std::string refusal(const shared_factor_job& job) {
    if (job.pivoting != pivoting::partial) return "knows partial pivoting only";
    return scalapack_refusal(job);
}

void factor_scalapack(shared_factor_job& job) {
    const bool finite = with_any_type(
        job.whole.type, [&](auto zero) { return all_finite<decltype(zero)>(const_matrices(job.own)); });
    if (job.group->any(!finite)) throw unsupported_variant("cpu/scalapack: the matrix holds NaN or Inf");
    report& run = job.result->run;
    run.threads = scalapack_threads(job);
    const mpi::scalapack_matrix a = scalapack_view(*job.group, job.whole, job.own.data, job.own.leading);
    run.policy = "ranks=" + std::to_string(job.group->size()) + " block=" + std::to_string(a.block);
    if (job.whole.diagonal() == 0) return;
    std::vector<int> pivots(static_cast<std::size_t>(a.rows + a.block));
    std::string why;
    mpi::scalapack(why)->use_threads(run.threads);
    const int info = mpi::scalapack(why)->factor(a, pivots.data());
    if (info < 0) throw error("cpu/scalapack: xGETRF refuses argument " + std::to_string(-info));
    for (index_t k = 0; k < job.whole.diagonal(); ++k) {
        const int row = pivots[static_cast<std::size_t>(k)] - 1;
        if (row < k || row >= job.whole.rows)  // numbers that overflowed on the way
            throw error("cpu/scalapack: the pivot of step " + std::to_string(k) + " is row " +
                        std::to_string(row));
        job.pivots[k] = row;
    }
}

}  // namespace

extern constinit const catalogue::row<shared_factor_job> shared_factor_cpu_scalapack{
    "cpu/scalapack", "ScaLAPACK's xGETRF on one row of processes", factor_scalapack, refusal, nullptr, true};

}  // namespace wale::lu
