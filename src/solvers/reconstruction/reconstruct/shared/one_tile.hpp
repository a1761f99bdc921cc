// one_tile - images that cuda/tiles does at once, whatever they hold.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// Flat images of one tile of cuda/tiles each: one launch there, and no worklist.
[[nodiscard]] bool is_one_tile(const reconstruct_job& job);

}  // namespace wale::reconstruction
