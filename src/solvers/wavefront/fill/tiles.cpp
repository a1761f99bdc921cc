// tiles - the table in rectangles: antidiagonals of tiles with a barrier, or rows of tiles with a counter
// each.
#include "solvers/wavefront/fill/block.hpp"
#include "solvers/wavefront/fill/cpu.hpp"
#include "solvers/wavefront/fill/schedules.hpp"
#include "solvers/wavefront/visit.hpp"

namespace wale::wavefront {
namespace {

void fill_with(void (*schedule)(const tiling&, const tile_function&), fill_job& job) {
    const tiling t = cpu_tiling({{job.rows, job.columns}}, job.tile, std::get<on_cpu>(job.where).threads);
    job.run->threads = t.threads;
    job.run->policy = policy_text(t.tile);
    visit(job, [&](const auto& r) { schedule(t, writer_of(r, job)); });
}

}  // namespace

void fill_tiles(fill_job& job) {
    fill_with(schedule_tiles, job);
}

void fill_hyperlane(fill_job& job) {
    fill_with(schedule_hyperlane, job);
}

}  // namespace wale::wavefront
