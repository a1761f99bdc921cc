// prepare - the steps before and after a reconstruction that no start_rule or finish_rule can express.
// Internal, not in wale::variants(). Every row of the table does every kind.
#pragma once

#include <span>
#include <wale/morphology.hpp>

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// T is the type of `image`; v a value of it; lowest and highest the ends of T, infinite for floats
/// (lowest_key<T>() and its mirror). Booleans count as bytes unless stated.
enum class preparation {
    /// Before fill_depressions, for a reconstruction by erosion. marker, mask: T; outlet_rule in rules.hpp;
    /// at_border of visit.hpp.
    ///     mask   = is_outlet(v) ? lowest : v
    ///     marker = is_outlet(v) || at_border ? mask : highest
    drain,
    /// After it: marker = v where is_outlet(v); elsewhere marker stays as it is.
    restore,
    /// Before impose_minima, for a reconstruction by erosion. minima: boolean; marker, mask: T.
    ///     mask   = minima ? lowest : successor(v)
    ///     marker = minima ? lowest : highest
    impose,
    /// marker = v > high, mask = v > low; NaN is above nothing. marker and mask are both boolean or both bit.
    /// Bits beyond the last column become 0, or of marker keep their value: see keep_padding.
    threshold,
    /// marker (boolean) = the bits of image (bit).
    widen,
    /// marker (boolean or bit) = 1 at each of `points`, 0 elsewhere; bits beyond the last column keep their
    /// value. No image, but marker gives the shape;
    /// one image; the points lie in it, may repeat, and are in host memory for this call only.
    points,
    /// marker (T) = the smallest v (`largest`: the largest) of the box of `size` pixels a side round the
    /// pixel,
    /// cut at the ends of its image: size x size, or size x size x size in rank 3. size is odd; any type
    /// but
    /// bit.
    box,
    /// For each image of the batch by itself: if all its pixels are equal, marker (boolean) = 0; else
    /// marker
    /// stays as it is.
    clear_constant,
    /// job.area = how many pixels of image (boolean or bit) are set: waits for the device.
    area
};

/// All images of a call. Same shape; strides differ. Nothing overlaps. Any extent may be 0.
struct prepare_job {
    execution where{};
    preparation kind = preparation::drain;
    const_image_view image{};
    const_image_view minima{};  // impose
    image_view marker{};
    image_view mask{};  // drain, impose, threshold
    bool has_no_data = false;
    double no_data = 0;  // drain, restore: a number; for f32 rounded to it (outlet_rule)
    double low = 0;      // threshold: numbers; for f32 rounded to it (above_rule)
    double high = 0;
    /// threshold: bits of marker beyond the last column keep their value, as those of a caller's image must.
    bool keep_padding = false;
    index_t size = 1;      // box
    bool largest = false;  // box
    std::span<const pixel_position> points{};
    /// CUDA: queue only: no timer, no wait. Never with points or area. Scratch of a row in stream order.
    bool asynchronous = false;
    // Out.
    index_t area = 0;
    double seconds = 0;  // as report::compute_seconds
};

using prepare_table = catalogue::table<prepare_job>;

/// The CUDA plugin appends its row (cuda/variants.cu).
[[nodiscard]] prepare_table& prepare_variants();

/// Runs the job on the backend of `where` and adds its time to `run`.
void prepare(prepare_job& job, report& run);

}  // namespace wale::reconstruction
