// catalogue - the list of all solvers' tables, and what every row depends on.
#include "variants/catalogue.hpp"

#include "cpu/instruction_set.hpp"
#include "cuda/device_api.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using describer = std::function<void(std::vector<variant_info>&)>;

std::vector<describer>& describers() {
    static std::vector<describer>& all = *new std::vector<describer>;  // not destroyed, as tables
    return all;
}

}  // namespace

namespace catalogue {

void enlist(describer describe) {
    describers().push_back(std::move(describe));
}

void check_environment() {
    cpu::check_instruction_set();
}

void check_available(backend b) {
    if (b == backend::cuda) (void)cuda::require();
}

}  // namespace catalogue

std::vector<variant_info> variants(std::string_view solver) {
    (void)cuda::api();  // its rows are in the tables once it is loaded
    std::vector<variant_info> all;
    for (const describer& describe : describers()) describe(all);
    if (!solver.empty()) std::erase_if(all, [&](const variant_info& v) { return v.solver != solver; });
    return all;
}

}  // namespace wale
