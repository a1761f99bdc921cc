// narrow - where sweeps along rows do not pay, because a row does not fill a vector.
#pragma once

#include "cpu/team.hpp"
#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// Whether sweeps along the rows of the images fill vectors and words. On narrower images the queues are
/// faster, up to 12 times; but a queue has one thread (docs/performance/atlas.md).
[[nodiscard]] inline bool wide_rows(const reconstruct_job& job) {
    const index_t narrow = bytes_of(job.mask.type) == 1 ? 14 : 10;  // columns
    constexpr index_t tiny = 32;                                    // pixels of an image
    constexpr index_t many_threads = 4, for_bands = 1 << 18;  // pixels of an image that such threads share
    const index_t pixels = job.mask.columns * job.mask.rows * job.mask.planes;
    if (job.mask.columns >= narrow) return pixels >= tiny;
    return job.mask.columns > 1 && pixels >= for_bands && job.mask.images < many_threads &&
           cpu::team_size(job.where, many_threads) == many_threads;
}

}  // namespace wale::reconstruction
