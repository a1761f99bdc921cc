// cpu_tuning - measured choices of the host rows. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::lu {

/// cpu/recursive. `panel` columns are factored at once; the strips that wait for them are up to `strip`
/// panels wide. Below `small` rows or columns panels have `small_panel` columns, below `medium`
/// `medium_panel`: a narrow panel is soon done, a wide one makes products of a better rate.
struct recursive_policy {
    index_t panel;
    index_t strip;  // panels
    index_t small;
    index_t small_panel;
    index_t medium;
    index_t medium_panel;
    index_t tournament;          // panel widths: the rows of a block that finds its own candidates for pivots
    double operations_a_thread;  // fewer are not worth a thread
};

inline constexpr tuning::row<recursive_policy> recursive_policies[] = {
    {0, 4, {320, 3, 1024, 64, 4608, 128, 4, 2e7}, "untuned"},
    {0, 0, {256, 4, 1024, 64, 4608, 128, 4, 2e7}, "untuned"},
    {0, 0, {256, 4, 1024, 32, 1024, 128, 4, 2e7}, "untuned"},
    {0, 0, {384, 3, 1024, 32, 1024, 128, 4, 2e7}, "untuned"},
    {0, 0, {128, 8, 512, 64, 1024, 96, 4, 2e7}, "untuned"},
};
static_assert(tuning::well_formed(recursive_policies));

/// Columns of a panel of a matrix whose smaller extent is `diagonal`.
[[nodiscard]] inline index_t panel_of(const recursive_policy& p, index_t diagonal) {
    return diagonal < p.small ? p.small_panel : diagonal < p.medium ? p.medium_panel : p.panel;
}

[[nodiscard]] inline const recursive_policy& chosen_recursive(index_t element_size) {
    return recursive_policies[tuning::choose("lu/factor/recursive", recursive_policies, 0,
                                             static_cast<int>(element_size))]
        .policy;
}

/// The ladder: cpu/blocked, and when threads pay for any of it.
struct ladder_policy {
    index_t block;
    double elements_a_thread;  // of the matrix
};

inline constexpr tuning::row<ladder_policy> ladder_policies[] = {
    {0, 0, {64, 65536}, "untuned"},
    {0, 0, {16, 65536}, "untuned"},
    {0, 0, {32, 65536}, "untuned"},
};
static_assert(tuning::well_formed(ladder_policies));

[[nodiscard]] inline const ladder_policy& chosen_ladder(index_t element_size) {
    return ladder_policies[tuning::choose("lu/factor/ladder", ladder_policies, 0,
                                          static_cast<int>(element_size))]
        .policy;
}

}  // namespace wale::lu
