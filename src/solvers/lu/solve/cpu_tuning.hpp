// cpu_tuning - measured choices of the host rows.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::lu {

/// cpu/recursive: right-hand sides in about `parts` strips, not narrower and not wider than this.
struct solving_policy {
    index_t parts;
    index_t narrow, wide;        // columns
    double operations_a_thread;  // fewer are not worth a thread
};

inline constexpr tuning::row<solving_policy> solving_policies[] = {
    {0, 0, {4, 128, 512, 4e6}, "untuned"},
    {0, 0, {2, 128, 512, 4e6}, "untuned"},
    {0, 0, {8, 32, 256, 4e6}, "untuned"},
};
static_assert(tuning::well_formed(solving_policies));

[[nodiscard]] inline const solving_policy& chosen_solving(index_t element_size) {
    return solving_policies[tuning::choose("lu/solve/recursive", solving_policies, 0,
                                           static_cast<int>(element_size))]
        .policy;
}

}  // namespace wale::lu
