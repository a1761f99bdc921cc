// alphabet - symbols of any width as dense codes, so that a few bit planes tell them apart.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// Two sequences whose codes are equal where their symbols are. Codes are 0..count-1; every symbol of b that
/// a does not hold has the same code, as nothing needs to tell such symbols apart.
struct coded_pair {
    std::vector<std::uint32_t> a, b;
    std::uint32_t count = 0;
    [[nodiscard]] int planes() const;  // bits of the largest code, at least 1
};

[[nodiscard]] coded_pair encode(const symbols& a, const symbols& b);

}  // namespace wale::wavefront
