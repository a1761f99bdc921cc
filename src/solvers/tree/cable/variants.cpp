// variants - the host variants of cables, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/tree/cable/cpu.hpp"
#include "variants/catalogue.hpp"

namespace wale::tree {

cable_table& cable_variants() {
    static cable_table table{
        "tree",
        "cable",
        {
            {"cpu/lanes", backend::cpu,
             "cells side by side in the lanes of vectors; the tree is eliminated as it is assembled",
             why_no_vectors, lanes_suit, step_cable_lanes},
            {"cpu/compartments", backend::cpu,
             "one cell at a time, vectors along its compartments; solved level by level, so that branches "
             "overlap",
             why_no_vectors, nullptr, step_cable_compartments},
            {"reference/plain", backend::reference,
             "assemble, eliminate from the leaves, substitute, move the gates: the truth",
             catalogue::never_refuses, nullptr, step_cable_reference},
        }};
    return table;
}

namespace {

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<cable_job>(+[]() -> const cable_table& { return cable_variants(); });
    return true;
}();

}  // namespace
}  // namespace wale::tree
