// tuning - measured choices of the host row. The first row is a candidate that only WALE_TUNING reaches.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::reconstruction {

/// The box filter across rows copies a strip of columns at once: as wide as a buffer of `strip_bytes`
/// allows, but at least `line_bytes`, or cache lines would be read in part.
struct preparing_policy {
    index_t pixels_a_thread;  // fewer are not worth a thread
    index_t strip_bytes;
    index_t line_bytes;
};

inline constexpr tuning::row<preparing_policy> preparing_policies[] = {
    {1, 0, {1 << 18, 1 << 19, 256}, "untuned"},
    {0, 0, {1 << 18, 1 << 18, 128}, "untuned"},
};
static_assert(tuning::well_formed(preparing_policies));

[[nodiscard]] inline const preparing_policy& chosen_preparing() {
    return preparing_policies[tuning::choose("reconstruction/prepare/cpu", preparing_policies, 0, 0)].policy;
}

}  // namespace wale::reconstruction
