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
            {"reference/plain", backend::reference,
             "each stage gathers the fluxes of every cell, then takes its step: the truth",
             catalogue::never_refuses, nullptr, advance_reference},
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
