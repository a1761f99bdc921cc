// widened - jobs on bits that no row takes, done on bytes.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// Whether `automatic` has no row for this job but has one for the same on bytes: bit-packed volumes on CUDA.
[[nodiscard]] bool wants_widening(const reconstruct_job& job, const std::string& variant);

/// Widens mask and marker to a byte a pixel, runs the job, and packs its answer; report::policy says so.
[[nodiscard]] reconstruction_result run_widened(const reconstruct_job& job);

}  // namespace wale::reconstruction
