// tuning - measured choices of the host rows of align.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::wavefront {

/// cpu/wavefronts.
struct wave_policy {
    index_t bytes_of_rows;  // of all costs: rows of older blocks are dropped beyond this
    index_t band;           // diagonals at each side in which a bound of the cost is sought
    index_t least_cells;    // of smaller tables the first symbols are compared before costs are counted
    double seconds_a_cell, seconds_walked;  // of rows without and with a walk back
    double seconds_a_table_cell;            // of cpu/diagonals
};

inline constexpr wave_policy chosen_waves{.bytes_of_rows = 8 << 20,
                                          .band = 32,
                                          .least_cells = 1'000'000,
                                          .seconds_a_cell = 3e-9,
                                          .seconds_walked = 4e-9,
                                          .seconds_a_table_cell = 8e-11};  // untuned

/// cpu/myers_miller.
struct myers_miller_policy {
    index_t kept_cells;  // of a part that is walked back without another cut: a byte each
};

inline constexpr tuning::row<myers_miller_policy> myers_miller_policies[] = {
    {0, 0, {.kept_cells = 1 << 14}, "untuned"},
    {0, 0, {.kept_cells = 0}, "untuned"},  // cut to single rows: for tests, by WALE_TUNING
};
static_assert(tuning::well_formed(myers_miller_policies));

[[nodiscard]] inline const myers_miller_policy& chosen_myers_miller() {
    return myers_miller_policies[tuning::choose("wavefront/align/cpu_myers_miller", myers_miller_policies, 0,
                                                0)]
        .policy;
}

/// What scores of batches take in cpu/lanes and in cpu/striped, of local tables and of others.
struct batch_policy {
    double around_lanes;            // seconds of a call
    double local_area, other_area;  // seconds of a cell of a group, which has the largest of its lanes
    double filling;                 // cells of groups over cells of their pairs, of many pairs
    double pair, local_column, other_column;  // seconds of cpu/striped
    double local_cell, other_cell;
};

inline constexpr batch_policy chosen_batches{.around_lanes = 7e-6,
                                             .local_area = 5e-9,
                                             .other_area = 2.8e-9,
                                             .filling = 1.5,
                                             .pair = 2.2e-7,
                                             .local_column = 1.6e-8,
                                             .other_column = 2.2e-8,
                                             .local_cell = 4.8e-11,
                                             .other_cell = 8.5e-11};  // untuned

}  // namespace wale::wavefront
