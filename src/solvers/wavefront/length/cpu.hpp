// cpu - the length and string variants that run on the host.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

void lcs_length_reference(lcs_length_job&);
void edit_distance_reference(edit_distance_job&);
void lcs_string_reference(lcs_string_job&);

}  // namespace wale::wavefront
