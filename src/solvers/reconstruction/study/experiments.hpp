// experiments - what is studied of this solver: images, what is asked of them, and how an answer is
// certified.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include <wale/morphology.hpp>

#include "study/experiment.hpp"

namespace wale::reconstruction {

using experiments::ceiling;
using experiments::experiment;

/// An image whose experiment may be run with another connectivity or from other host memory: for the claims.
class image_experiment : public experiment {
public:
    /// As run(), with 0 for the experiment's own connectivity.
    virtual report run_connected(const execution& where, const std::string& variant, int connectivity) = 0;
};

[[nodiscard]] const std::vector<std::string>& experiment_names();

/// `input`: an image file whose mirrored tiles fill the size, instead of the experiment's own image.
[[nodiscard]] std::unique_ptr<image_experiment> make_image(const std::string& name, index_t size,
                                                           const std::string& input);

enum class question { domes, holes, marked };  // h_domes; fill_holes; reconstruct from a marker

/// Any images: `grey` and `marker` have a byte a pixel, in the order of images, planes, rows.
struct image_recipe {
    question asked = question::domes;
    raster shape{};  // packed
    int connectivity = 0;
    double height = 40;                   // of domes, in the image's values
    std::vector<std::uint8_t> grey{};     // binary images: set from 128
    std::vector<std::uint8_t> marker{};   // where it is given; at most `grey`
    std::vector<std::string> hopeless{};  // variants that would need passes without end
};
[[nodiscard]] std::unique_ptr<image_experiment> make_images(image_recipe what);

/// What an atlas draws from.
[[nodiscard]] std::vector<experiments::drawing> drawings();

/// What the source notes of this solver state, beside what was measured.
[[nodiscard]] std::vector<study_claim> judge_claims(experiments::findings& f);

}  // namespace wale::reconstruction
