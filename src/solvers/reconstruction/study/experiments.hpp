// experiments - what is studied of this solver: images, what is asked of them, and how an answer is
// certified.
#pragma once

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

/// What the source notes of this solver state, beside what was measured.
[[nodiscard]] std::vector<study_claim> judge_claims(experiments::findings& f);

}  // namespace wale::reconstruction
