// cpu - the batch variants that run on the host.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

void lcs_batch_reference(batch_job&);
void edit_batch_reference(batch_job&);

}  // namespace wale::wavefront
