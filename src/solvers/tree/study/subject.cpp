// subject - the experiments of this solver, for the study.
#include <algorithm>

#include "solvers/tree/study/experiments.hpp"

namespace wale::tree {
namespace {

constexpr index_t device_unknowns = index_t{1} << 26;  // 64 x a million: 2.7 GB in double precision
constexpr index_t host_unknowns = index_t{1} << 22;

const recipe& named(const std::string& name) {
    return *std::find_if(recipes().begin(), recipes().end(), [&](const recipe& r) { return name == r.name; });
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const recipe& r : recipes()) all.emplace_back(r.name);
    return all;
}

std::string operation_of(const std::string& name) {
    return named(name).is_chain() ? "tridiagonal" : "hines";
}

std::unique_ptr<experiment> make(const study_options& options, index_t size) {
    const bool device = options.cuda && is_available(backend::cuda);
    return make_experiment(named(options.operation), size, device ? device_unknowns : host_unknowns);
}

[[maybe_unused]] const bool enlisted = experiments::enlist({.solver = "tree",
                                                            .names = names(),
                                                            .sizes = {64, 1024, 65536, index_t{1} << 22},
                                                            .unit = "unknown",
                                                            .operation_of = operation_of,
                                                            .make = make,
                                                            .claims = judge_claims,
                                                            .drawings = drawings()});

}  // namespace
}  // namespace wale::tree
