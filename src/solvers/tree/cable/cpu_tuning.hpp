// cpu_tuning - measured choices of the host rows. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::tree {

/// cpu/lanes. `vectors` of cells make a group, 1 or 2; from `share` of a vector's cells on the row pays.
struct cable_lanes_policy {
    index_t vectors;
    double share;
    [[nodiscard]] index_t fewest_cells(index_t lanes) const {
        return static_cast<index_t>(share * static_cast<double>(lanes)) + 1;
    }
};

inline constexpr tuning::row<cable_lanes_policy> cable_lanes_policies[] = {
    {0, 8, {2, 0.5}, "untuned"},
    {0, 0, {1, 0.5}, "untuned"},
};
static_assert(tuning::well_formed(cable_lanes_policies));

[[nodiscard]] inline const cable_lanes_policy& chosen_lanes() {
    return cable_lanes_policies[tuning::choose("tree/cable/lanes", cable_lanes_policies, 0, 8)].policy;
}

}  // namespace wale::tree
