#include "solvers/wavefront/fill/schedules.hpp"

#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "cpu/barrier.hpp"
#include "cpu/row_team.hpp"
#include "schedule/antidiagonals.hpp"
#include "schedule/skewed_tiles.hpp"
#include "solvers/wavefront/fill/cpu_tuning.hpp"
#include "tuning/override.hpp"

namespace wale::wavefront {
namespace {

tile_range range_of(const tiling& t, index_t row, index_t column) {
    const index_t i = row * t.tile.rows;
    const index_t j = column * t.tile.columns;
    return {i, std::min(i + t.tile.rows, t.shape[0]), j, std::min(j + t.tile.columns, t.shape[1])};
}

}  // namespace

void schedule_rows(const tiling& t, const tile_function& fill) {
    if (t.shape[1] == 0) return;
    for (index_t i = 0; i < t.shape[0]; ++i) fill({i, i + 1, 0, t.shape[1]});
}

void schedule_tiles(const tiling& t, const tile_function& fill) {
    const schedule::antidiagonals grid{base::ceil_div(t.shape[0], t.tile.rows),
                                       base::ceil_div(t.shape[1], t.tile.columns)};
    cpu::barrier together(t.threads);
    cpu::run_team(t.threads, [&](int rank) {
        for (index_t d = 0; d < grid.count(); ++d) {
            for (index_t k = rank; k < grid.tiles(d); k += t.threads) {
                const schedule::tile_position at = grid.at(d, k);
                fill(range_of(t, at.row, at.column));
            }
            together.wait();
        }
    });
}

void schedule_hyperlane(const tiling& t, const tile_function& fill) {
    const index_t bands = base::ceil_div(t.shape[0], t.tile.rows);
    const schedule::skewed_tiles tiles{t.shape[1], t.tile.columns, t.tile.rows, 0};
    if (bands > std::numeric_limits<int>::max() || tiles.tiles() > std::numeric_limits<int>::max())
        throw unsupported_variant("cpu/hyperlane: more than 2^31 - 1 tiles a side, take larger tiles");
    cpu::run_bands(t.threads, static_cast<int>(bands), [&] {
        return [&](const cpu::band& band) {
            for (index_t c = 0; c < tiles.tiles(); ++c) {
                if (!band.wait_above(tiles.needed_above(c))) return;
                fill(range_of(t, band.number(), c));
                band.done(c + 1);
            }
        };
    });
}

tiling cpu_tiling(extents<2> shape, tile_shape asked, int threads) {
    const cpu_fill_policy& policy =
        cpu_fill_policies[tuning::choose("wavefront/fill/cpu", cpu_fill_policies, 0, 0)].policy;
    const auto side = [](index_t wanted, index_t tuned, index_t size) {
        return std::clamp<index_t>(wanted > 0 ? wanted : tuned, 1, std::max<index_t>(size, 1));
    };
    tiling t{
        shape,
        {side(asked.rows, policy.tile_rows, shape[0]), side(asked.columns, policy.tile_columns, shape[1])}};
    const index_t widest =
        std::min(base::ceil_div(shape[0], t.tile.rows), base::ceil_div(shape[1], t.tile.columns));
    // A person who names the threads gets them, as far as there are tiles side by side.
    const index_t useful = threads > 0 ? widest : std::min(widest, shape.count() / policy.thread_cells);
    t.threads = cpu::team_size(threads, useful);
    return t;
}

std::string policy_text(const tile_shape& tile) {
    return "tile=" + std::to_string(tile.rows) + "x" + std::to_string(tile.columns);
}

}  // namespace wale::wavefront
