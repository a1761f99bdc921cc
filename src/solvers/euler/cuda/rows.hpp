// rows - the CUDA variants of the flow solver: what each does, and why it may refuse a job.
#pragma once

#include "solvers/euler/job.hpp"
