// rows - who takes the steps before and after a reconstruction. The CUDA plugin appends cuda/rows.cu.
#include "base/clock.hpp"
#include "base/threads.hpp"
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/prepare/problem.hpp"

namespace wale::reconstruction {

extern const catalogue::row<prepare_job> prepare_cpu_lines;

prepare_table& prepare_rows() {
    static prepare_table table{"reconstruction", "prepare", {prepare_cpu_lines}};
    return table;
}

void prepare(prepare_job& job, report& to) {
    base::check_threads(job.where);
    const base::stopwatch watch;
    job.where = beside(job.where);
    const bool on_device = backend_of(job.where) == backend::cuda;
    catalogue::select(prepare_rows(), on_device ? backend::cuda : backend::cpu, "automatic", job).run(job);
    to.compute_seconds += job.seconds > 0 ? job.seconds : watch.seconds();
}

}  // namespace wale::reconstruction
