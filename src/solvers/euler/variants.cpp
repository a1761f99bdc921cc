// variants - the host variants of the flow solver, best first. The CUDA plugin appends its own
// (cuda/variants.cu).
#include "solvers/euler/cpu.hpp"
#include "variants/catalogue.hpp"

namespace wale::euler {

advance_table& advance_variants() {
    static advance_table table{
        "euler",
        "advance",
        {
            {"cpu/ranks", backend::cpu,
             "several processes, a part of the mesh each; states of its border travel while the rest is "
             "computed",
             refuses_ranks, suits_ranks, advance_ranks},
            {"cpu/vectors", backend::cpu,
             "a cell in each lane of a vector, packed states of eight words, stage and step in one pass",
             refuses_vectors, nullptr, advance_vectors},
            {"cpu/one_pass", backend::cpu,
             "plain loops over cells, a team for all iterations; a stage's fluxes and step in one pass",
             refuses_one_pass, nullptr, advance_one_pass},
            {"cpu/five_passes", backend::cpu,
             "as cpu/one_pass, but all fluxes are computed anew for each of the five variables",
             refuses_five_passes, nullptr, advance_five_passes},
            {"reference/plain", backend::reference,
             "each stage gathers the fluxes of every cell, then takes its step: the truth", refuses_reference,
             nullptr, advance_reference},
        }};
    return table;
}

namespace {

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<advance_job>(+[]() -> const advance_table& { return advance_variants(); });
    return true;
}();

}  // namespace
}  // namespace wale::euler
