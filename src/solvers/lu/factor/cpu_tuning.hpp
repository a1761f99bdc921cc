// cpu_tuning - measured choices of the host rows. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::lu {

/// cpu/recursive. `panel` columns are factored by one thread; the strips that wait for them are `strip`
/// panels wide. Below `small` rows or columns panels have `small_panel` columns.
struct recursive_policy {
    index_t panel;
    index_t strip;  // panels
    index_t small;
    index_t small_panel;
    double operations_a_thread;  // fewer are not worth a thread
};

inline constexpr tuning::row<recursive_policy> recursive_policies[] = {
    {0, 0, {256, 2, 1024, 64, 2e7}, "untuned"}, {0, 0, {128, 4, 1024, 64, 2e7}, "untuned"},
    {0, 0, {192, 3, 1024, 64, 2e7}, "untuned"}, {0, 0, {128, 8, 1024, 64, 2e7}, "untuned"},
    {0, 0, {256, 4, 1024, 64, 2e7}, "untuned"},
};
static_assert(tuning::well_formed(recursive_policies));

[[nodiscard]] inline const recursive_policy& chosen_recursive(index_t element_size) {
    return recursive_policies[tuning::choose("lu/factor/recursive", recursive_policies, 0,
                                             static_cast<int>(element_size))]
        .policy;
}

}  // namespace wale::lu
