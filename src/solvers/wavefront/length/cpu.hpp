// cpu - the length and string variants that run on the host.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

void lcs_length_reference(lcs_length_job&);
void edit_distance_reference(edit_distance_job&);
void lcs_string_reference(lcs_string_job&);

/// The `threads` of on_cpu (0: all); 1 elsewhere.
[[nodiscard]] int threads_asked(const execution& where);

void lcs_length_bit_vector(lcs_length_job&);
void lcs_length_skewed_strips(lcs_length_job&);
[[nodiscard]] bool lcs_length_suits_strips(const lcs_length_job&);

void edit_distance_bit_vector(edit_distance_job&);
void edit_distance_skewed_strips(edit_distance_job&);
void edit_distance_band(edit_distance_job&);
[[nodiscard]] bool edit_distance_suits_strips(const edit_distance_job&);
[[nodiscard]] bool edit_distance_suits_band(const edit_distance_job&);

void lcs_string_hirschberg(lcs_string_job&);

}  // namespace wale::wavefront
