// tile_dag - one launch a matrix: persistent blocks take the tiles by ticket.
#include <optional>

#include "cuda/withheld.cuh"
#include "solvers/lu/factor/cuda/tile_dag/queue.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

using namespace tile_dag;

/// Bytes of the memory of a matrix, whose first `cleared` start as 0: of one allocation and one clearing.
template <class T>
index_t furnish(tile_problem<T>& p, unsigned char* memory, const factor_job& job, index_t& cleared) {
    const index_t levels = tiles_of(job.a.largest([](const matrices& m) { return m.diagonal(); }));
    cuda::pieces all(memory);
    all.next(p.summary, 1);
    all.next(p.counters, counters_of(job.a.largest_rows(), job.a.largest_columns()));
    cleared = all.used();
    all.next(p.lower_inverse, levels * tile * tile);
    all.next(p.upper_inverse, levels * tile * tile);
    all.next(p.scale, 4);
    return all.used();
}

template <class T>
void queue_all(const cuda::context& on, const factor_job& job, const outcome_on_device& outcome) {
    const launcher<T> launch(on);
    tile_problem<T> none{};
    index_t cleared = 0;
    const cuda::scratch<unsigned char> memory(on, furnish(none, nullptr, job, cleared));
    for (index_t i = 0; i < job.a.count(); ++i) {
        if (job.a[i].diagonal() == 0) continue;
        cuda::check(cudaMemsetAsync(memory.data(), 0, static_cast<std::size_t>(cleared), on.stream()));
        tile_problem<T> p = problem_of<T>(job, i);
        (void)furnish(p, memory.data(), job, cleared);
        p.inverse_row = tile * tile;
        p.inverse_leading = tile;
        p.to = outcome.data();
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
    cuda::with_device_type(job.a.type(), [&](auto zero) { queue_all<decltype(zero)>(on, job, outcome); });
    if (wants_more_than_summary(job)) queue_finish(on, job, outcome);
    if (timer) job.result->run.compute_seconds = timer->stop(outcome.words());
    job.result->run.iterations = job.a.count();
    outcome.report(job, "cuda/tile_dag");
}

std::string refuses_tile_dag(const factor_job& job) {
    if (std::string no = refuses_pivoting(job); !no.empty()) return no;
    const cuda::context on(job.where);
    const bool fits =
        cuda::with_device_type(job.a.type(), [&](auto zero) { return launcher<decltype(zero)>::fits(on); });
    return fits ? "" : "needs more shared memory a block than this device has";
}

bool suits_tile_dag(const factor_job& job) {
    const index_t steps = std::min(job.a.largest_rows(), job.a.largest_columns());
    const index_t from = job.is_complex() ? complex_suits_from : 0;
    return job.a.count() == 1 && steps >= from && steps <= suits_up_to;
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_tile_dag{
    "cuda/tile_dag",
    "no pivots: persistent blocks take 64 x 64 tiles by ticket, ready counters, critical path first; "
    "row-major as the transpose",
    factor_tile_dag,
    refuses_tile_dag,
    suits_tile_dag,
    true};

}  // namespace wale::lu
