// bounded - the schedules whose time has a bound, whatever the image: another row hands them an image that
// keeps its own schedule busy for too long.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// A pass there and one back, then the highest pixel first (cpu/downhill): O(pixels) for 8 and 16 bits,
/// O(pixels log pixels) for wider types. May begin at any state between marker and answer: with
/// start_rule::given and that state, stored, as the marker, which may be `out` itself. Sets the result's
/// run.threads and run.iterations, nothing else. Not for bit-packed images.
void finish_downhill(reconstruct_job& job);

/// cuda/basins from the beginning, and why that row may refuse the job.
void run_basins(reconstruct_job& job);
[[nodiscard]] std::string refuses_basins(const reconstruct_job& job);
/// Images so small that tiles are done before the launches of cuda/basins are, however far a value goes.
[[nodiscard]] bool is_quick_in_tiles(const reconstruct_job& job);

}  // namespace wale::reconstruction
