// blocked - one large system after the other: rows exchanged on the way into scratch, then both triangles.
#include <optional>

#include "solvers/lu/cuda/copy.cuh"
#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/cuda/triangles.cuh"
#include "solvers/lu/cuda/triangles_tuning.hpp"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

using triangular::policy;

/// B's columns, some at a time.
template <class T>
class system {
public:
    system(const cuda::context& c, const cuda::blas& blas, const policy& p, const const_matrices& factors,
           const std::int32_t* pivots)
        : c_(c),
          n_(factors.rows),
          at_once_(p.right_sides),
          triangles_(c, blas, factors, p.inverted),
          from_(c, pivots ? n_ : 0) {
        if (pivots) queue_permutations(c, factors, pivots, from_.data());
    }

    void solve(const matrices& b, bool transposed) const {
        const index_t width = std::min(at_once_, b.columns);
        const cuda::scratch<T> first(c_, n_ * width), second(c_, n_ * width);
        const strided<T> work{first.data(), 1, n_};
        for (index_t j = 0; j < b.columns; j += width) {
            const index_t columns = std::min(width, b.columns - j);
            const strided<T> here = elements<T>(b).from(0, j);
            const right_sides<T> there{first.data(), second.data(), n_, columns},
                back{second.data(), first.data(), n_, columns};
            permuted_copy<T, T> in{{here.data, here.row_step, here.column_step}, work, n_, columns},
                out{{work.data, work.row_step, work.column_step}, here, n_, columns};
            (transposed ? out.to_row : in.from_row) = from_.data();
            queue_copy(c_, in);
            if (transposed) {  // A^T = U^T L^T P
                triangles_.solve_upper(there, true);
                triangles_.solve_lower(back, true);
            } else {
                triangles_.solve_lower(there, false);
                triangles_.solve_upper(back, false);
            }
            queue_copy(c_, out);
        }
    }
    [[nodiscard]] index_t block() const { return triangles_.block(); }

private:
    const cuda::context& c_;
    index_t n_, at_once_;
    triangles<T> triangles_;
    cuda::scratch<std::int32_t> from_;
};

void solve_blocked(solve_job& job) {
    const cuda::context c(job.where);
    const auto type = job.factors.type();
    const policy& p = triangular::policies[tuning::choose("lu/solve/blocked", triangular::policies, c.sm(),
                                                          static_cast<int>(bytes_of(type)))]
                          .policy;
    std::optional<cuda::timer> watch;
    if (!job.asynchronous) watch.emplace(c);
    const cuda::blas blas(c);
    for (index_t i = 0; i < job.factors.count(); ++i) {
        const const_matrices f = job.factors[i];
        if (f.rows == 0 || job.b[i].columns == 0) continue;
        with_type(type, [&](auto zero) {
            const std::int32_t* pivots = job.pivots ? job.pivots + job.factors.pivot_start(i) : nullptr;
            const system<decltype(zero)> one(c, blas, p, f, pivots);
            one.solve(job.b[i], job.transposed);
            job.result->run.policy = "block=" + std::to_string(one.block());
        });
    }
    if (watch) job.result->run.compute_seconds = watch->stop();
}

}  // namespace

extern constinit const catalogue::row<solve_job> solve_cuda_blocked{
    "cuda/blocked", "one system after the other: diagonal blocks inverted, the rest products", solve_blocked};

}  // namespace wale::lu
