// pairwise - a batch of pairs by a row of align, pair by pair.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// A run as BAM has it.
[[nodiscard]] std::uint32_t coded_run(const alignment_run& run);
[[nodiscard]] alignment_run decoded_run(std::uint32_t run);

/// Sets the columns of the result from solve(job of the pair), on the threads that the job asks for.
void align_each_pair(align_pairs_job& job, void (*solve)(alignment_job&));

}  // namespace wale::wavefront
