// cpu_tuning - measured choices of the host rows.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::lu {

/// cpu/recursive: columns, and then rows, that one thread takes at a time.
struct inverting_policy {
    index_t strip;
    double operations_a_thread;  // fewer are not worth a thread
};

inline constexpr tuning::row<inverting_policy> inverting_policies[] = {
    {0, 0, {256, 2e7}, "untuned"},
    {0, 0, {128, 2e7}, "untuned"},
    {0, 0, {64, 2e7}, "untuned"},
};
static_assert(tuning::well_formed(inverting_policies));

[[nodiscard]] inline const inverting_policy& chosen_inverting(index_t element_size) {
    return inverting_policies[tuning::choose("lu/inverse/recursive", inverting_policies, 0,
                                             static_cast<int>(element_size))]
        .policy;
}

}  // namespace wale::lu
