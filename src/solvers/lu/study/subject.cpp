// subject - the experiments of this solver, for the study.
#include "solvers/lu/study/experiments.hpp"

namespace wale::lu {
namespace {

std::unique_ptr<experiment> make(const study_options& options, index_t size) {
    return make_experiment(options.operation, size);
}

[[maybe_unused]] const bool enlisted =
    experiments::enlist({.solver = "lu",
                         .names = experiment_names(),
                         .sizes = {512, 2048},
                         .unit = "operation",
                         .operation_of = +[](const std::string&) { return std::string("factor"); },
                         .make = make,
                         .claims = judge_claims,
                         .drawings = drawings()});

}  // namespace
}  // namespace wale::lu
