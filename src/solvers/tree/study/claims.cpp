// claims - what is written about the layouts (cuThomasBatch, Valero-Lara et al. 2017 and 2018; cuHinesBatch
// 2017; the Unified-Vector of the source notes), and what they cost and gain here.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <wale/error.hpp>

#include "solvers/tree/study/experiments.hpp"

namespace wale::tree {
namespace {

using experiments::findings;

/// Milliseconds of a run that was verified, the least of three; negative where the variant cannot.
double milliseconds(experiment& e, const execution& where, const std::string& variant) {
    try {
        double least = INFINITY;
        for (int k = 0; k < 3; ++k) least = std::min(least, 1e3 * e.run(where, variant).compute_seconds);
        return e.flaw().empty() ? least : -1;
    } catch (const error&) {
        return -1;
    }
}

/// "flat 1.2, interleaved 0.8 ms" of the recipes whose names begin so, in double precision.
std::string layouts(const findings& f, const std::string& begin, index_t size, index_t unknowns,
                    const execution& where, const std::string& variant) {
    std::ostringstream text;
    text.precision(3);
    for (const recipe& r : recipes()) {
        const std::string name = r.name;
        if (!name.starts_with(begin + "_") || r.type != scalar::f64) continue;
        f.say(name + " by " + variant);
        const auto e = make_experiment(r, size, unknowns);
        const double t = milliseconds(*e, where, variant);
        text << (text.tellp() > 0 ? ", " : "") << name.substr(begin.size() + 1) << ' ';
        if (t < 0)
            text << "not by this variant";
        else
            text << t << " ms";
    }
    return text.str();
}

}  // namespace

std::vector<study_claim> judge_claims(findings& f) {
    if (f.rows.empty()) return {};
    const bool chains = f.operation.starts_with("chains");
    if (!chains && !f.operation.starts_with("trees")) return {};
    const index_t size = f.rows.front().size;
    const auto unknowns = static_cast<index_t>(f.last->cells());
    const std::string begin = chains ? "chains" : "trees";
    const std::string plain = chains ? "thomas" : f.with_cuda ? "one_thread_per_tree" : "sweep";
    const execution where = f.with_cuda ? execution(on_cuda{.time_on_device = true}) : execution(on_cpu{});
    const std::string at = " (size " + std::to_string(size) + ", " + std::to_string(unknowns) + " unknowns)";
    return {
        {"a thread a system asks for the full interleaved layout: neighbours then read neighbours, flat does "
         "not "
         "scale" +
             at,
         plain + ": " + layouts(f, begin, size, unknowns, where, plain)},
        {"interleaving blocks of systems, or uniting a row's words, gives back what the caller's flat arrays "
         "lose",
         plain + ": as above; automatic: " + layouts(f, begin, size, unknowns, where, "automatic")},
    };
}

}  // namespace wale::tree
