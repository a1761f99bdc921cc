// rows - the CUDA variants of solving chains: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {}  // namespace wale::tree
