// bank_numbers - which number a face of a tile gets, chosen by bank of shared memory.
#pragma once

#include <array>
#include <vector>

#include "solvers/euler/advance/cuda/second_order/layout.hpp"

namespace wale::euler::second_order {

/// Numbers for the faces of a tile. Threads side by side put the same face of cells side by side: each face
/// gets a number by which its sides lie in a bank that few others of these threads meet.
template <class Real>
class bank_numbers {
public:
    bank_numbers(index_t cells, int faces) : faces_(faces), met_(at(cells / banks + 1)) {}
    struct cell_face {
        index_t place;
        int face;
    };
    [[nodiscard]] int take(const cell_face& a, const cell_face& b) {
        counts &first = of(a), &second = of(b);
        int best = -1;
        for (int bank = 0; bank < banks; ++bank) {
            if (used_[at(bank)] * banks + bank >= faces_) continue;
            if (best < 0 || first[at(bank)] + second[at(bank)] < first[at(best)] + second[at(best)])
                best = bank;
        }
        ++first[at(best)];
        ++second[at(best)];
        return used_[at(best)]++ * banks + best;
    }

private:
    static constexpr int banks = 128 / sizeof(Real);
    using counts = std::array<std::uint8_t, banks>;
    [[nodiscard]] counts& of(const cell_face& c) { return met_[at(c.place / banks)][at(c.face)]; }
    [[nodiscard]] static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
    int faces_;
    std::array<int, banks> used_{};  // numbers of each bank
    std::vector<std::array<counts, faces_of_cell>> met_;
};

}  // namespace wale::euler::second_order
