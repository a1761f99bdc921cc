// tuning_rows - the rows of a tuning table that a build can be asked for.
#pragma once

#include <vector>

#include "tuning/override.hpp"

namespace wale::tuning {

/// The numbers of the compiled rows; `element_size` as in compiled().
template <class Policy, std::size_t N>
std::vector<std::size_t> compiled_rows(const row<Policy> (&rows)[N], int element_size = 0) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < N; ++i)
        if (compiled(rows, i, element_size)) numbers.push_back(i);
    return numbers;
}

}  // namespace wale::tuning
