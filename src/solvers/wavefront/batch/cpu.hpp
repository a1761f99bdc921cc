// cpu - the batch variants that run on the host.
#pragma once

#include <functional>
#include <string>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// Calls work(first, last) for slices of the pairs, on the threads of the job; fills in run->threads.
void for_slices(const batch_job& job, index_t slice, const std::function<void(index_t, index_t)>& work);

void lcs_batch_reference(batch_job&);
void edit_batch_reference(batch_job&);

void lcs_batch_pairs(batch_job&);
void edit_batch_pairs(batch_job&);

void lcs_batch_lanes(batch_job&);
void edit_batch_lanes(batch_job&);
[[nodiscard]] std::string batch_lanes_refusal(const batch_job&);
[[nodiscard]] bool batch_suits_lanes(const batch_job&);

}  // namespace wale::wavefront
