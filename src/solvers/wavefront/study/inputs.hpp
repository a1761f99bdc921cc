// inputs - what a study computes on: random DNA and pairs that differ as reads differ from their genome.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include <wale/layout.hpp>

namespace wale::wavefront {

/// `size` letters of ACGT, the same for the same seed on every machine.
[[nodiscard]] std::string random_dna(index_t size, std::uint64_t seed);

/// The text with one letter in `one_in` replaced, deleted or followed by another.
[[nodiscard]] std::string mutated(const std::string& text, std::uint64_t one_in, std::uint64_t seed);

/// Sequences end to end; offsets has one entry more than there are sequences.
struct tape {
    std::string symbols;
    std::vector<index_t> offsets{0};
    void add(const std::string& text) {
        symbols += text;
        offsets.push_back(static_cast<index_t>(symbols.size()));
    }
};

struct pair_tapes {
    tape a, b;
    double cells = 0;  // sum of |a_k| * |b_k|
};

/// Reads of 64..192 letters, each against a copy with about a tenth of its letters changed.
[[nodiscard]] pair_tapes random_pairs(index_t count, std::uint64_t seed);

}  // namespace wale::wavefront
