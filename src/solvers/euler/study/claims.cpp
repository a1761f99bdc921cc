// claims - what the source notes state of Rodinia's and SAC's versions, and what these rows say of it.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <wale/error.hpp>

#include "solvers/euler/study/flow_experiment.hpp"

namespace wale::euler {
namespace {

using experiments::findings;

/// Of a run, the least of three, the last of which was verified; negative where the variant cannot, or was
/// wrong.
double seconds(const recipe& what, index_t size, const arrangement& how, const execution& where,
               const std::string& variant) {
    try {
        const auto e = make_experiment(what, size, how);
        double least = INFINITY;
        for (int k = 0; k < 3; ++k) least = std::min(least, e->run(where, variant).compute_seconds);
        return e->flaw().empty() ? least : -1;
    } catch (const error&) {
        return -1;
    }
}

std::string compared(const char* a, double one, const char* b, double other) {
    if (one < 0 || other < 0) return "not by these variants";
    std::ostringstream text;
    text.precision(3);
    text << a << " takes " << one / other << " times as long as " << b;
    return text.str();
}

}  // namespace

std::vector<study_claim> judge_claims(findings& f) {
    if (f.rows.empty() || !f.operation.starts_with("rodinia")) return {};
    const recipe what =
        *std::ranges::find_if(recipes(), [&](const recipe& r) { return f.operation == r.name; });
    const index_t size = f.rows.back().size;
    const execution where = f.with_cuda ? execution(on_cuda{.time_on_device = true}) : execution(on_cpu{});
    const auto taken = [&](const arrangement& how, const std::string& variant) {
        f.say("claims: " + variant);
        return seconds(what, size, how, where, variant);
    };
    std::vector<study_claim> claims;
    const double by_variable = taken({.layout = euler_layout::variable_major}, "one_pass");
    const double by_cell = taken({.layout = euler_layout::cell_major}, "one_pass");
    claims.push_back({"variable-major arrays suit a GPU, cell-major ones a CPU",
                      compared("variable-major", by_variable, "cell-major", by_cell)});
    claims.push_back({"five passes, one for each variable, are more than ten times slower than one",
                      compared("five passes", taken({}, "five_passes"), "one pass", taken({}, "one_pass"))});
    if (!f.with_cuda) return claims;
    const double by_value = taken({.constants = euler_constants::parameters}, "fused");
    claims.push_back(
        {"constants belong into constant memory",
         compared("constant memory", taken({.constants = euler_constants::constant_memory}, "fused"),
                  "kernel parameters", by_value) +
             "; " +
             compared("compiled in", taken({.constants = euler_constants::compiled}, "fused"),
                      "kernel parameters", by_value)});
    return claims;
}

}  // namespace wale::euler
