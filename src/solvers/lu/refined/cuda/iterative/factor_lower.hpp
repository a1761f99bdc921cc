// factor_lower - factors f32 storage with products of a lower precision.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// Factors job.a (f32) with partial pivoting; the products of the trailing matrix in `wanted`. Returns what
/// ran: f32 where the device or the size allows no lower precision. Sets job.result->run.variant.
factor_precision factor_lower(factor_job& job, factor_precision wanted);

}  // namespace wale::lu
