// experiments - what is studied of this solver: chains and trees in each layout, and how a solution is
// certified.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <wale/vectors.hpp>

#include "study/experiment.hpp"

namespace wale::tree {

using experiments::ceiling;
using experiments::experiment;

struct recipe {
    const char* name;
    scalar type;
    vector_layout layout;
    enum class form { chains, pivoted_chains, neurons, one_neuron, one_path, random_trees, star } what;
    bool periodic = false, transposed = false;

    [[nodiscard]] bool is_chain() const { return what == form::chains || what == form::pivoted_chains; }
};

[[nodiscard]] const std::vector<recipe>& recipes();

/// size: unknowns of one system; all systems together have `unknowns`, or are one.
[[nodiscard]] std::unique_ptr<experiment> make_experiment(const recipe& what, index_t size, index_t unknowns);

/// `count` systems; width: of a block-interleaved layout.
[[nodiscard]] std::unique_ptr<experiment> make_systems(const recipe& what, index_t size, index_t count,
                                                       index_t width);

/// What an atlas draws from.
[[nodiscard]] std::vector<experiments::drawing> drawings();

/// What the source notes of this solver and the papers behind them state, beside what was measured.
[[nodiscard]] std::vector<study_claim> judge_claims(experiments::findings& f);

}  // namespace wale::tree
