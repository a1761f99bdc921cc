// variants - what exists. The same table that dispatch, tests, benchmarks and the command line read.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include <wale/execution.hpp>

namespace wale {

struct variant_info {
    std::string solver;     // "wavefront"
    std::string operation;  // "fill"
    std::string name;       // "cuda/strips": backend and schedule; what options.variant takes
    backend where;
    std::string summary;  // one sentence
};

/// All variants, or those of one solver, in the order in which `automatic` prefers them.
[[nodiscard]] std::vector<variant_info> variants(std::string_view solver = {});

/// Facts about this build and machine: one line each, name and value.
struct config_line {
    std::string name;
    std::string value;
};
[[nodiscard]] std::vector<config_line> configuration();

[[nodiscard]] const char* version() noexcept;

}  // namespace wale
