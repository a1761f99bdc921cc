// tuning - how the vector rows on the CPU cut an image, and when they give up.
#pragma once

#include <wale/layout.hpp>

#include "tuning/table.hpp"

namespace wale::reconstruction {

struct clamp_scan_policy {
    index_t band_bytes;      // of mask and J: what stays in a core's own cache
    index_t least_slices;    // rows, or planes of a volume, of a band; at least 2
    index_t bands_a_thread;  // for images that would give fewer
    index_t thread_bytes;    // of a mask that are worth a thread
    index_t looks;           // at every unit, on average, before an adversarial image is given up
};

inline constexpr tuning::row<clamp_scan_policy> clamp_scan_policies[] = {
    {0, 0, {index_t{1} << 20, 16, 4, index_t{1} << 16, 64}, "untuned"},
    {0, 0, {1, 2, 1, 1, 2}, "untuned"},
};
static_assert(tuning::well_formed(clamp_scan_policies));

}  // namespace wale::reconstruction
