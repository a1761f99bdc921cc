// hyperlane - rows of tiles by ticket, one progress counter a row.
#include <limits>

#include "base/checked.hpp"
#include "cpu/row_team.hpp"
#include "schedule/skewed_tiles.hpp"
#include "solvers/wavefront/fill/shared/tiling.hpp"

namespace wale::wavefront {
namespace {

void run(fill_job& job) {
    fill_by(schedule_hyperlane, job);
}

}  // namespace

void schedule_hyperlane(const tiling& t, const tile_function& fill) {
    const index_t bands = base::ceil_div(t.shape[0], t.tile.rows);
    const schedule::skewed_tiles tiles{t.shape[1], t.tile.columns, t.tile.rows, 0};
    if (bands > std::numeric_limits<int>::max() || tiles.tiles() > std::numeric_limits<int>::max())
        throw unsupported_variant("cpu/hyperlane: more than 2^31 - 1 tiles a side, take larger tiles");
    cpu::run_bands(t.threads, static_cast<int>(bands), [&] {
        return [&](const cpu::band& band) {
            for (index_t c = 0; c < tiles.tiles(); ++c) {
                if (!band.wait_above(tiles.needed_above(c))) return;
                fill(t.range(band.number(), c));
                band.done(c + 1);
            }
        };
    });
}

extern constinit const catalogue::row<fill_job> fill_cpu_hyperlane{
    "cpu/hyperlane", "rows of tiles by ticket, one progress counter a row", run, nullptr, not_small};

}  // namespace wale::wavefront
