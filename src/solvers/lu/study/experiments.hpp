// experiments - what is studied of this solver: one matrix or many, and how their factors are certified.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "study/experiment.hpp"

namespace wale::lu {

using experiments::ceiling;
using experiments::experiment;

[[nodiscard]] const std::vector<std::string>& experiment_names();

/// size: rows of the matrix, or matrices of a batch.
[[nodiscard]] std::unique_ptr<experiment> make_experiment(const std::string& name, index_t size);

/// What the source notes of this solver state, beside what was measured.
[[nodiscard]] std::vector<study_claim> judge_claims(experiments::findings& f);

}  // namespace wale::lu
