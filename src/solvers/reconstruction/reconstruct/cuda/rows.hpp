// rows - the CUDA variants of this operation: what each does, and why it may refuse a job.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {}  // namespace wale::reconstruction
