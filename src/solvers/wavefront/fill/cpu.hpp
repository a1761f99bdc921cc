// cpu - the table variants that run on the host; each has a file of its own.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

void fill_reference(fill_job&);

}  // namespace wale::wavefront
