// call - what every function of <wale/morphology.hpp> does first.
#pragma once

#include <wale/morphology.hpp>

#include "solvers/reconstruction/check.hpp"

namespace wale::reconstruction {

/// Checks image and out (of type `out_type`) and fills a job with them: no start rule, method or finish yet.
[[nodiscard]] reconstruct_job checked_job(const execution& where, const const_image_view& image,
                                          const image_view& out, pixel out_type,
                                          const reconstruction_options& options);

/// Refuses bit-packed images where only elements can be worked on.
void refuse_bits(const char* name, const raster& p);

/// No NaN in the image, unless the call is asynchronous.
void check_numbers(const execution& where, const const_image_view& image, const reconstruction_options& options);

/// A threshold as the pixels' type holds it: rounded for f32, as it is for the others. Not NaN.
[[nodiscard]] double checked_number(const char* name, double value, pixel type);

/// Counts a pass that ran before the one in `result`.
void add_pass(reconstruction_result& result, const reconstruction_result& before);

}  // namespace wale::reconstruction
