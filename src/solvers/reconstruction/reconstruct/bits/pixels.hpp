// pixels - a binary image's lines on their way in and out: 32-bit words or bytes, mirrored or not.
#pragma once

#include "solvers/reconstruction/reconstruct/bits/field.hpp"

namespace wale::reconstruction {

/// Mask and marker of one unit as keys (problem.hpp): zeros beyond the last column and in all margins.
void load_unit(const reconstruct_job& job, index_t image, index_t unit, const bits_field& field);

/// The answer of one unit. Bits of the last word beyond the last column keep their value.
void store_unit(const reconstruct_job& job, index_t image, index_t unit, const bits_field& field);

}  // namespace wale::reconstruction
