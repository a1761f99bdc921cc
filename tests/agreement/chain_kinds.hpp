// chain_kinds - matrices that are hard on eliminations: those that Chang et al. (SC 2012) and Klein and
// Strzodka (2021) measure, and singular ones.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "agreement/stored_vectors.hpp"

namespace wale::agreement {

struct bands_of_test {
    std::vector<double> lower, diagonal, upper;  // lower[0] and upper[n - 1] must not matter
};
struct kind {
    const char* name;
    std::function<bands_of_test(index_t n)> make;
};
/// Of random rows that `set` changes.
using each_row = std::function<void(index_t i, double& lower, double& diagonal, double& upper)>;
[[nodiscard]] kind rows_kind(const char* name, const each_row& set);
[[nodiscard]] kind toeplitz(const char* name, double lower, double diagonal, double upper);
/// Regular.
[[nodiscard]] std::vector<kind> kinds();
/// Singular to the bit under every order of elimination: all multipliers are 0, 1, -1 or powers of two.
[[nodiscard]] std::vector<kind> singular_kinds();

}  // namespace wale::agreement
