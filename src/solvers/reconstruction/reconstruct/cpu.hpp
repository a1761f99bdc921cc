// cpu - the host variants of this operation.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// reference/plain
void reconstruct_reference(reconstruct_job& job);

/// cpu/bits
void reconstruct_bits(reconstruct_job& job);
[[nodiscard]] std::string bits_refusal(const reconstruct_job& job);

/// cpu/clamp_scan
void reconstruct_clamp_scan(reconstruct_job& job);

/// cpu/hybrid, cpu/downhill, cpu/fifo, cpu/raster: sequential; the images of a batch go to threads.
void reconstruct_hybrid(reconstruct_job& job);
void reconstruct_downhill(reconstruct_job& job);
void reconstruct_fifo(reconstruct_job& job);
void reconstruct_raster(reconstruct_job& job);

/// For guards: a pass there and one back, then the highest pixel first. O(pixels) for 8 and 16 bits, O(pixels
/// log pixels) for wider types, whatever the image. It may begin at any state between marker and answer:
/// with start_rule::given and that state, stored, as the marker, which may be `out` itself. Sets the result's
/// run.threads and run.iterations, nothing else. Not for bit-packed images.
void reconstruct_bounded(reconstruct_job& job);

}  // namespace wale::reconstruction
