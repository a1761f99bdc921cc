// reconstruction - morphological reconstruction: a marker rises under a mask until its neighbourhood and the
// mask hold it. Background: src/solvers/reconstruction/README.md. What people do with it:
// <wale/morphology.hpp>.
#pragma once

#include <string>
#include <wale/execution.hpp>
#include <wale/image.hpp>
#include <wale/report.hpp>

namespace wale {

enum class reconstruction_method {
    dilation,  // the marker lies below the mask and rises
    erosion    // the marker lies above the mask and falls
};

/// What to do where a marker lies on the wrong side of its mask.
enum class marker_beyond {
    refuse,  // bad_argument with the first pixel and the count
    clamp    // the mask's value counts; saves the pass that looks
};

struct reconstruction_options {
    std::string variant = "automatic";  // "cuda/tiles", or "tiles" on the backend of `where`
    reconstruction_method method = reconstruction_method::dilation;
    int connectivity = 0;  // neighbours: 4 or 8 in 2-D, 6, 18 or 26 in 3-D; 0: all of them, 8 or 26
    marker_beyond beyond = marker_beyond::refuse;
    /// CUDA: return when the work is queued on the caller's stream. The report has then no times, iterations
    /// or visits, NaN and markers beyond the mask are not looked for, and a failure shows at a later call.
    bool asynchronous = false;
};

struct reconstruction_result {
    report run;               // iterations: passes over the whole image, or elementary dilations
    index_t tile_visits = 0;  // of variants that work in tiles
    bool guarded = false;     // an adversarial image: a method with a bound finished it
};

/// The largest image between marker and mask that the marker's connected parts reach (Vincent 1993):
/// geodesic dilations of the marker under the mask, to stability; or its dual. All values must be numbers.
/// marker, mask, out: the same shape and type; out may be marker itself, but not overlap anything otherwise.
/// Integers and booleans equal scikit-image bit for bit, floats too (a zero may have either sign).
/// Time O(pixels) times a small factor for natural images; the guard bounds it by O(pixels log pixels).
reconstruction_result reconstruct(const execution& where, const const_image_view& marker,
                                  const const_image_view& mask, const image_view& out,
                                  const reconstruction_options& = {});

/// Why `result` is not the reconstruction, empty if it is: a certificate that needs no second computation.
/// It lies between marker and mask, one elementary dilation under the mask does not change it, and each of
/// its regional maxima touches the marker; these three hold for one image only. Host memory; O(pixels)
/// time.
[[nodiscard]] std::string reconstruction_flaw(const const_image_view& marker, const const_image_view& mask,
                                              const const_image_view& result,
                                              const reconstruction_options& = {});

}  // namespace wale
