// experiments - what is studied of this solver: one matrix or many, and how their factors are certified.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <wale/lu.hpp>

#include "study/experiment.hpp"

namespace wale::lu {

using experiments::ceiling;
using experiments::experiment;

[[nodiscard]] const std::vector<std::string>& experiment_names();

/// size: rows of the matrix, or matrices of a batch.
[[nodiscard]] std::unique_ptr<experiment> make_experiment(const std::string& name, index_t size);

/// Matrices of any shape. memory_binds: the device's memory is the ceiling, as of a batch of small matrices.
[[nodiscard]] std::unique_ptr<experiment> make_factor(const matrix_shape& shape, wale::pivoting how,
                                                      bool memory_binds);

/// Operations of a factorisation of m x n: 2/3 n^3 where m = n.
[[nodiscard]] inline double factor_operations(index_t m, index_t n) {
    const auto most = static_cast<double>(m < n ? n : m), least = static_cast<double>(m < n ? m : n);
    return least * least * (most - least / 3);
}

/// What an atlas draws from.
[[nodiscard]] std::vector<experiments::drawing> drawings();

/// What the source notes of this solver state, beside what was measured.
[[nodiscard]] std::vector<study_claim> judge_claims(experiments::findings& f);

}  // namespace wale::lu
