// rows - the CUDA rows of the internal tables: norms, determinants, residuals.
#pragma once

#include "solvers/lu/jobs.hpp"

namespace wale::lu {

void measure_on_device(measure_job& job);
void determinants_on_device(determinant_job& job);

/// Small matrices in a block each, large ones by cuBLAS over blocks of columns in f64, so that the memory
/// that it takes is bounded.
void residual_on_device(residual_job& job);

}  // namespace wale::lu
