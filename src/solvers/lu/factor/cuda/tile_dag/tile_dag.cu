// tile_dag - one launch a matrix: persistent blocks take the tiles by ticket.
#include <optional>

#include "cuda/withheld.cuh"
#include "solvers/lu/factor/cuda/tile_dag/queue.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

using namespace tile_dag;

template <class T>
void queue_all(const cuda::context& on, const factor_job& job, const outcome_on_device& outcome) {
    const launcher<T> launch(on);
    const index_t levels = tiles_of(job.a.largest([](const matrices& m) { return m.diagonal(); }));
    const cuda::scratch<T> inverses(on, 2 * levels * tile * tile), scale(on, 2);
    const cuda::scratch<std::uint32_t> counters(on,
                                                counters_of(job.a.largest_rows(), job.a.largest_columns()));
    const cuda::scratch<matrix_summary> summary(on, 1);
    for (index_t i = 0; i < job.a.count(); ++i) {
        if (job.a[i].diagonal() == 0) continue;
        counters.fill_bytes(0);
        summary.fill_bytes(0);
        tile_problem<T> p = problem_of<T>(job, i);
        p.lower_inverse = inverses.data();
        p.upper_inverse = inverses.data() + levels * tile * tile;
        p.scale = scale.data();
        p.inverse_row = tile * tile;
        p.inverse_leading = tile;
        p.summary = summary.data();
        p.to = outcome.data();
        p.counters = counters.data();
        cuda::withhold_tickets(on, "lu/factor/tile_dag", p.counters);  // the first word is the next ticket
        launch.queue(p, job.a[i].row_major(), on.stream());
    }
    job.result->run.policy = launch.policy_text();
}

void factor_tile_dag(factor_job& job) {
    const cuda::context on(job.where);
    const outcome_on_device outcome(on, job);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(on);
    with_type(job.a.type(), [&](auto zero) { queue_all<decltype(zero)>(on, job, outcome); });
    if (wants_more_than_summary(job)) queue_finish(on, job, outcome);
    if (timer) job.result->run.compute_seconds = timer->stop(outcome.words());
    job.result->run.iterations = job.a.count();
    outcome.report(job, "cuda/tile_dag");
}

std::string refuses_tile_dag(const factor_job& job) {
    if (std::string no = refuses_pivoting(job); !no.empty()) return no;
    return fits_device(job) ? "" : "needs more shared memory a block than this device has";
}

bool suits_tile_dag(const factor_job& job) {
    return job.a.count() == 1 && std::min(job.a.largest_rows(), job.a.largest_columns()) <= suits_up_to;
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_tile_dag{
    "cuda/tile_dag",
    "no pivots: persistent blocks take 64 x 64 tiles by ticket, ready counters, critical path first; "
    "row-major as the transpose",
    factor_tile_dag, refuses_tile_dag, suits_tile_dag};

}  // namespace wale::lu
