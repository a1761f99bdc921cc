// check - what every public function of this solver asks of its arguments. Throws bad_argument.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// Shape, strides, memory space.
void check_image(const execution& where, const char* name, const const_image_view& p);
/// The same shape; the same type where `type` is set.
void check_alike(const char* name, const raster& p, const char* other, const raster& q, bool type = true);
/// No common memory; where `in_place` they may be one and the same image.
void check_apart(const char* name, const const_image_view& p, const char* other, const const_image_view& q,
                 bool in_place = false);
/// 1, 2 or 3 from an options' connectivity for images of this rank.
[[nodiscard]] int checked_reach(int connectivity, int rank);
/// Positive, and exact in the pixel type.
void check_height(pixel type, double height);
/// Values: no NaN, no marker beyond its mask. `marker` may have no data. Returns
/// reconstruct_job::flat_marker.
double check_values(const execution& where, const const_image_view& marker, const const_image_view& mask,
                    const reconstruction_options& options);
/// Where the passes beside a reconstruction run: several devices leave these to the host, whose memory holds
/// the images.
[[nodiscard]] inline execution beside(const execution& where) {
    const auto* cuda = std::get_if<on_cuda>(&where);
    return cuda != nullptr && !cuda->devices.empty() ? execution(on_cpu{}) : where;
}
/// "row 3, column 4": where a pixel lies that was counted row by row.
[[nodiscard]] std::string place_text(const raster& r, index_t at);

}  // namespace wale::reconstruction
