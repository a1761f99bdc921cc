// tuning - measured choices of the host rows of align.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::wavefront {

/// cpu/wavefronts.
struct wave_policy {
    index_t elements_of_rows;  // of all costs: rows of older blocks are dropped beyond this
    index_t least_cells;    // smaller tables are not looked at
    double share;           // of the time of cpu/diagonals that looking for the cost may take
    double seconds_a_cell, seconds_a_step;  // of a wavefront, and of the table of cpu/diagonals
    index_t band;           // diagonals at each side that a bound of the cost is sought in
};

inline constexpr tuning::row<wave_policy> wave_policies[] = {
    {0,
     0,
     {.elements_of_rows = 1 << 19,
      .least_cells = 250'000,
      .share = 0.1,
      .seconds_a_cell = 1.1e-10,
      .seconds_a_step = 1.5e-9,
      .band = 32},
     "untuned"},
};
static_assert(tuning::well_formed(wave_policies));

[[nodiscard]] inline const wave_policy& chosen_waves() {
    return wave_policies[tuning::choose("wavefront/align/cpu_waves", wave_policies, 0, 0)].policy;
}

}  // namespace wale::wavefront
