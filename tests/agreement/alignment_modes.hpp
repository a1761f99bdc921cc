// alignment_modes - the modes and the odd matrix that every row of alignment is asked with.
#pragma once

#include <vector>
#include <wale/alignment.hpp>

namespace wale::agreement {

/// Global, local, and semi-global with every choice of free ends.
inline std::vector<alignment_options> all_modes() {
    std::vector<alignment_options> all(2);
    all[1].mode = alignment_mode::local;
    for (unsigned k = 0; k < 16; ++k) {
        all.emplace_back();
        all.back().mode = alignment_mode::semi_global;
        all.back().ends = {(k & 1) != 0, (k & 2) != 0, (k & 4) != 0, (k & 8) != 0};
    }
    return all;
}

/// Asymmetric, with negative and zero scores of equal letters.
inline substitution_matrix odd_matrix() {
    return {"ABC*", {3, -2, 1, -4, -1, 2, -3, -4, 0, -5, -1, -4, -4, -4, -4, 1}};
}

}  // namespace wale::agreement
