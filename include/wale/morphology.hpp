// morphology - what people do with reconstruction. Most prepare their marker in the first pass over the
// image and their answer in the last; the others take one pass more. `out` has the image's shape and type
// unless stated, and must not overlap the image. options.method and options.beyond have no meaning here.
// Bit-packed images: fill_holes, clear_border, select_objects, and the answer of hysteresis_threshold.
#pragma once

#include <span>
#include <wale/reconstruction.hpp>

namespace wale {

/// Fills the basins that do not reach the image's border, up to their lowest way out (Soille 2003, 6.3.7).
/// Grey or binary. Time and errors of all functions here: as reconstruct().
reconstruction_result fill_holes(const execution&, const const_image_view& image, const image_view& out,
                                 const reconstruction_options& = {});

/// Removes what is connected to the border: image - reconstruction from the border.
reconstruction_result clear_border(const execution&, const const_image_view& image, const image_view& out,
                                   const reconstruction_options& = {});

/// Fills the depressions of an elevation model, so that water runs off at the border or into a cell whose
/// height is NaN or `no_data`; those cells keep their value. An asynchronous call does not look for NaN first
/// and takes the way with two more passes for every float image.
struct depression_options : reconstruction_options {
    bool has_no_data = false;
    double no_data = 0;  // rounded to the pixels' type where that is f32
};
reconstruction_result fill_depressions(const execution&, const const_image_view& elevation,
                                       const image_view& out, const depression_options& = {});

/// h_maxima_transform: domes cut down by h, reconstruct(image - h, image). h_domes: image - that.
/// h > 0 in the units of the pixels, representable in their type; differences saturate at its ends.
reconstruction_result h_maxima_transform(const execution&, const const_image_view& image, double h,
                                         const image_view& out, const reconstruction_options& = {});
reconstruction_result h_minima_transform(const execution&, const const_image_view& image, double h,
                                         const image_view& out, const reconstruction_options& = {});
reconstruction_result h_domes(const execution&, const const_image_view& image, double h,
                              const image_view& out, const reconstruction_options& = {});
reconstruction_result h_basins(const execution&, const const_image_view& image, double h,
                               const image_view& out, const reconstruction_options& = {});

/// out: boolean. Plateaus with neighbours, all of them lower (higher): none in a constant image. Equal to
/// scikit-image's local_maxima (local_minima).
reconstruction_result regional_maxima(const execution&, const const_image_view& image, const image_view& out,
                                      const reconstruction_options& = {});
reconstruction_result regional_minima(const execution&, const const_image_view& image, const image_view& out,
                                      const reconstruction_options& = {});
/// out: boolean. The regional maxima of the h-maxima transform: summits that rise by more than h, with what
/// lies less than h below them. Two reconstructions.
reconstruction_result extended_maxima(const execution&, const const_image_view& image, double h,
                                      const image_view& out, const reconstruction_options& = {});
reconstruction_result extended_minima(const execution&, const const_image_view& image, double h,
                                      const image_view& out, const reconstruction_options& = {});

/// Erodes with a box of `size` pixels a side (odd, at most the image's least extent; cut at its border),
/// then rebuilds what survived whole. Closing: its dual.
reconstruction_result opening_by_reconstruction(const execution&, const const_image_view& image, index_t size,
                                                const image_view& out, const reconstruction_options& = {});
reconstruction_result closing_by_reconstruction(const execution&, const const_image_view& image, index_t size,
                                                const image_view& out, const reconstruction_options& = {});

/// The image with regional minima exactly where `minima` (boolean) is set (Soille 2003, 6.3.6): those
/// pixels get the lowest value of the type (floats: -infinity), all others rise by one step of the type at
/// least, the highest value excepted. Grey images. Where no pixel is set: the highest value everywhere.
reconstruction_result impose_minima(const execution&, const const_image_view& image,
                                    const const_image_view& minima, const image_view& out,
                                    const reconstruction_options& = {});

/// out: boolean or bit. Pixels above `low` that are connected to a pixel above `high` (Canny 1986); low <=
/// high. NaN is above nothing. For f32 the thresholds are rounded to f32, as NumPy does.
reconstruction_result hysteresis_threshold(const execution&, const const_image_view& image, double low,
                                           double high, const image_view& out,
                                           const reconstruction_options& = {});

/// Position of a pixel: {plane, row, column}, plane 0 in 2-D.
struct pixel_position {
    index_t plane = 0, row = 0, column = 0;
};
struct selection_result : reconstruction_result {
    index_t area = 0;  // pixels selected
};
/// The connected parts of a boolean or bit image that hold one of the points, which may also lie outside
/// all parts. One image, no batch; not asynchronous, since the area is waited for.
selection_result select_objects(const execution&, const const_image_view& image,
                                std::span<const pixel_position> points, const image_view& out,
                                const reconstruction_options& = {});

struct watershed_options {
    std::string variant = "automatic";
    int connectivity = 0;
    bool line = false;  // pixels in which two basins meet get 0
};
struct watershed_result {
    report run;
};
/// Floods `image` from `markers` (i32, 0: none): every pixel takes the label of the basin that reaches it
/// first (Meyer 1994; by level, then by age; marked pixels start in raster order). labels: i32; may be
/// `markers` itself. mask: boolean, or no data for all pixels. reference and CPU; one thread. Equal to
/// scikit-image 0.26 bit for bit, but for marked pixels of equal values: those leave its heap in no stated
/// order.
watershed_result watershed(const execution&, const const_image_view& image, const const_image_view& markers,
                           const const_image_view& mask, const image_view& labels,
                           const watershed_options& = {});

}  // namespace wale
