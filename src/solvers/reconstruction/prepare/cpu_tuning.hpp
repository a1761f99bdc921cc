// cpu_tuning - measured choices of the host rows. The first rows are candidates that only WALE_TUNING
// reaches.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::reconstruction {

/// The box filter across rows copies a strip of columns together: as wide as a buffer of `strip_bytes`
/// allows, but at least `line_bytes`, or cache lines would be read in part.
struct box_policy {
    index_t strip_bytes;
    index_t line_bytes;
};

inline constexpr tuning::row<box_policy> box_policies[] = {
    {1, 0, {1 << 17, 64}, "untuned"},  {1, 0, {1 << 18, 64}, "untuned"},  {1, 0, {1 << 18, 256}, "untuned"},
    {1, 0, {1 << 19, 256}, "untuned"}, {1, 0, {1 << 20, 512}, "untuned"}, {1, 0, {1 << 21, 1024}, "untuned"},
    {0, 0, {1 << 18, 128}, "untuned"},
};
static_assert(tuning::well_formed(box_policies));

[[nodiscard]] inline const box_policy& chosen_box() {
    return box_policies[tuning::choose("reconstruction/prepare/cpu_box", box_policies, 0, 0)].policy;
}

}  // namespace wale::reconstruction
