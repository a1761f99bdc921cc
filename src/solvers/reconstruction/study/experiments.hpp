// experiments - what is studied of this solver: pictures, what is asked of them, and how an answer is
// certified.
#pragma once

#include <wale/morphology.hpp>

#include "study/experiment.hpp"

namespace wale::reconstruction {

using experiments::ceiling;
using experiments::experiment;

/// A picture whose experiment may be run with another connectivity or from other host memory: for the claims.
class picture_experiment : public experiment {
public:
    /// As run(), with 0 for the experiment's own connectivity.
    virtual report run_connected(const execution& where, const std::string& variant, int connectivity) = 0;
};

[[nodiscard]] const std::vector<std::string>& experiment_names();

/// `input`: a picture file whose mirrored tiles fill the size, instead of the experiment's own picture.
[[nodiscard]] std::unique_ptr<picture_experiment> make_picture(const std::string& name, index_t size,
                                                               const std::string& input);

/// What the source notes of this solver state, beside what was measured.
[[nodiscard]] std::vector<study_claim> judge_claims(experiments::findings& f);

}  // namespace wale::reconstruction
