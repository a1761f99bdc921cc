// scalapack - pxgetrs of ScaLAPACK: each rank gives and gets some of the right-hand sides.
#include <string>
#include <vector>

#include "solvers/lu/cpu/copy.hpp"
#include "solvers/lu/shared_factor/shared/scalapack.hpp"

namespace wale::lu {
namespace {

std::string refusal(const shared_solve_job& job) {
    if (job.pivots == nullptr) return "needs pivots";
    return scalapack_refusal(job);
}

template <class T>
void solve_own(const shared_solve_job& job) {
    const index_t n = job.b.rows, all = job.b.columns;
    const index_t a_rank = (all + job.group->size() - 1) / job.group->size();
    const auto first_of = [&](int rank) { return std::min(all, rank * a_rank); };
    const index_t first = first_of(job.group->rank()), own = first_of(job.group->rank() + 1) - first;
    const block<T> b{static_cast<T*>(job.b.data), job.b.leading, job.b.order};
    std::vector<T> mine(static_cast<std::size_t>(n * own)), whole(static_cast<std::size_t>(n * all));
    copy_block<T>(b.from(0, first), block<T>{mine.data(), n, storage_order::column_major}, n, own);
    std::vector<int> pivots(static_cast<std::size_t>(n));
    for (index_t k = 0; k < n; ++k) pivots[static_cast<std::size_t>(k)] = job.pivots[k] + 1;
    const mpi::scalapack_matrix a =
        scalapack_view(*job.group, job.whole, const_cast<void*>(job.own.data), job.own.leading);  // only read
    const mpi::scalapack_matrix right{a.type,      a.rows, static_cast<int>(all), static_cast<int>(a_rank),
                                      mine.data(), a.rows};
    pivots.resize(static_cast<std::size_t>(n + a.block));
    const char how = !job.transposed ? 'N' : job.conjugated ? 'C' : 'T';
    std::string why;
    if (const int info = mpi::scalapack(why)->solve(a, pivots.data(), how, right); info < 0)
        throw error("cpu/scalapack: xGETRS refuses argument " + std::to_string(-info));
    std::vector<index_t> counts;
    for (int r = 0; r < job.group->size(); ++r)
        counts.push_back((first_of(r + 1) - first_of(r)) * n * index_t{sizeof(T)});
    job.group->transport()->gather(mine.data(), counts, whole.data());
    copy_block<T>(block<const T>{whole.data(), n, storage_order::column_major}, b, n, all);
}

void solve_scalapack(shared_solve_job& job) {
    report& run = job.result->run;
    run.threads = scalapack_threads(job);
    std::string why;
    mpi::scalapack(why)->use_threads(run.threads);
    run.policy = "ranks=" + std::to_string(job.group->size());
    if (job.b.rows == 0 || job.b.columns == 0) return;
    const bool apart = job.conjugated && !job.transposed;  // conj(A) x = b: A conj(x) = conj(b)
    if (apart) conjugate(job.b);
    with_any_type(job.whole.type, [&](auto zero) { solve_own<decltype(zero)>(job); });
    if (apart) conjugate(job.b);
}

}  // namespace

extern constinit const catalogue::row<shared_solve_job> shared_solve_cpu_scalapack{
    "cpu/scalapack", "ScaLAPACK's xGETRS on one row of processes", solve_scalapack, refusal, nullptr, true};

}  // namespace wale::lu
