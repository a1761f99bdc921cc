// subject - this solver's experiments for the study.
#include <algorithm>

#include "solvers/euler/study/flow_experiment.hpp"

namespace wale::euler {
namespace {

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const recipe& r : recipes()) all.emplace_back(r.name);
    return all;
}

std::unique_ptr<experiments::experiment> make(const study_options& options, index_t size) {
    const auto what =
        std::ranges::find_if(recipes(), [&](const recipe& r) { return options.operation == r.name; });
    return make_experiment(*what, size);
}

[[maybe_unused]] const bool enlisted =
    experiments::enlist({.solver = "euler",
                         .names = names(),
                         .sizes = {20000, 97200},
                         .unit = "cell iteration",
                         .operation_of = +[](const std::string&) { return std::string("advance"); },
                         .make = make,
                         .claims = judge_claims,
                         .drawings = drawings()});

}  // namespace
}  // namespace wale::euler
