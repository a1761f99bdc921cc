// check - sequences as the rows of tables take them.
#pragma once

#include <string>
#include <wale/execution.hpp>
#include <wale/sequence.hpp>

#include "base/argument.hpp"
#include "cuda/reachable.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

[[nodiscard]] inline symbols checked(const execution& where, const char* name, sequence_view s) {
    cuda::check_reachable(where, name, s.data(), s.size());
    const int bytes = s.symbol_bytes();
    if (bytes != 1 && bytes != 2 && bytes != 4)
        base::refuse(name, "symbols of " + std::to_string(bytes) + " bytes", "1, 2 or 4");
    return {s.data(), s.size(), bytes};
}

inline void check_same_width(int a, int b) {
    if (a != b)
        base::refuse("a, b", "symbols of " + std::to_string(a) + " and " + std::to_string(b) + " bytes",
                     "the same");
}

}  // namespace wale::wavefront
