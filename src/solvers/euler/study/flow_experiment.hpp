// flow_experiment - some iterations from the free stream on a made-up mesh, compared with the reference's.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <wale/euler.hpp>

#include "study/experiment.hpp"

namespace wale::euler {

struct recipe {
    const char* name;
    scalar precision;
    enum class form { published, first_order, second_order } what;
    cell_order order = cell_order::natural;
    bool shuffled = false;
};

[[nodiscard]] const std::vector<recipe>& recipes();

/// What a study may vary beside the recipe.
struct arrangement {
    euler_layout layout = euler_layout::automatic;
    euler_constants constants = euler_constants::automatic;
};

[[nodiscard]] std::unique_ptr<experiments::experiment> make_experiment(const recipe& what, index_t size,
                                                                       const arrangement& how = {});

/// Any flow. `many_steps`: cells times iterations, of which 3 to 200 are taken.
[[nodiscard]] std::unique_ptr<experiments::experiment> make_flow(mesh grid, const euler_options& options,
                                                                 double many_steps);

/// What an atlas draws from.
[[nodiscard]] std::vector<experiments::drawing> drawings();

/// What the source notes of this solver state, beside what was measured.
[[nodiscard]] std::vector<study_claim> judge_claims(experiments::findings& f);

}  // namespace wale::euler
