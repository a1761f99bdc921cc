// narrow - where sweeps along rows do not pay, because a row does not fill a vector.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// Whether sweeps along the rows of the images fill vectors and words. On narrower images the queues are
/// faster, up to 12 times; `automatic` transposes tall narrow images before it asks (derived/transposed.cpp).
[[nodiscard]] inline bool wide_rows(const reconstruct_job& job) {
    constexpr index_t narrow = 10, tiny = 32;  // columns; pixels of an image
    return job.mask.columns >= narrow && job.mask.columns * job.mask.rows * job.mask.planes >= tiny;
}

}  // namespace wale::reconstruction
