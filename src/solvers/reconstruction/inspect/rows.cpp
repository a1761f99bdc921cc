// rows - who looks for NaN and for markers beyond their mask. The CUDA plugin appends cuda/rows.cu.
#include "base/threads.hpp"
#include "solvers/reconstruction/check.hpp"

namespace wale::reconstruction {

extern const catalogue::row<inspect_job> inspect_cpu_lines;

inspect_table& inspect_rows() {
    static inspect_table table{"reconstruction", "inspect", {inspect_cpu_lines}};
    return table;
}

void inspect(inspect_job& job) {
    base::check_threads(job.where);
    job.where = beside(job.where);
    const bool on_device = backend_of(job.where) == backend::cuda;
    catalogue::select(inspect_rows(), on_device ? backend::cuda : backend::cpu, "automatic", job).run(job);
}

}  // namespace wale::reconstruction
