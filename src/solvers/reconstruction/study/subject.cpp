// subject - the experiments of this solver, for the study.
#include "solvers/reconstruction/study/experiments.hpp"

namespace wale::reconstruction {
namespace {

std::string operation_of(const std::string&) {
    return "reconstruct";
}

std::unique_ptr<experiment> make(const study_options& options, index_t size) {
    return make_image(options.operation, size, options.input);
}

[[maybe_unused]] const bool enlisted = [] {
    experiments::enlist({.solver = "reconstruction",
                         .names = experiment_names(),
                         .sizes = {512, 2048},
                         .unit = "pixel",
                         .operation_of = operation_of,
                         .make = make,
                         .claims = judge_claims});
    return true;
}();

}  // namespace
}  // namespace wale::reconstruction
