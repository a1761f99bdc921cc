// tile - the shape of the tiles of one call: what the caller asked for, else the tuning table's, never larger
// than the table.
#pragma once

#include <algorithm>
#include <string>

#include "solvers/wavefront/fill/cuda/tuning.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

[[nodiscard]] inline tile_shape chosen_tile(const fill_job& job, const tile_policy& p) {
    tile_shape t = job.tile;
    if (t.rows == 0) t.rows = p.rows;
    if (t.columns == 0) t.columns = p.columns;
    t.rows = std::clamp<index_t>(t.rows, 1, std::max<index_t>(job.rows, 1));
    t.columns = std::clamp<index_t>(t.columns, 1, std::max<index_t>(job.columns, 1));
    return t;
}

[[nodiscard]] inline std::string text_of(const tile_shape& t) {
    return "tile=" + std::to_string(t.rows) + "x" + std::to_string(t.columns);
}

}  // namespace wale::wavefront
