// tiles - antidiagonals of tiles, a barrier between two.
#include "base/checked.hpp"
#include "cpu/barrier.hpp"
#include "cpu/team.hpp"
#include "schedule/antidiagonals.hpp"
#include "solvers/wavefront/fill/shared/tiling.hpp"

namespace wale::wavefront {
namespace {

void run(fill_job& job) {
    fill_by(schedule_tiles, job);
}

}  // namespace

void schedule_tiles(const tiling& t, const tile_function& fill) {
    const schedule::antidiagonals grid{base::ceil_div(t.shape[0], t.tile.rows),
                                       base::ceil_div(t.shape[1], t.tile.columns)};
    cpu::barrier diagonal_done(t.threads);
    cpu::run_team(t.threads, [&](int rank) {
        for (index_t d = 0; d < grid.count(); ++d) {
            for (index_t k = rank; k < grid.tiles(d); k += t.threads) {
                const schedule::tile_position at = grid.at(d, k);
                fill(t.range(at.row, at.column));
            }
            diagonal_done.wait();
        }
    });
}

extern constinit const catalogue::row<fill_job> fill_cpu_tiles{
    "cpu/tiles", "antidiagonals of tiles, a barrier between two", run, nullptr, not_small};

}  // namespace wale::wavefront
