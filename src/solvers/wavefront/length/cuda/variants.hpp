// variants - the length and string variants that run on CUDA.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

void lcs_length_strips(lcs_length_job&);
void lcs_length_strips_counter(lcs_length_job&);
void edit_distance_strips(edit_distance_job&);
void lcs_string_strips(lcs_string_job&);

}  // namespace wale::wavefront
