// tuning - measured choices of cpu/bits.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::reconstruction {

struct bits_policy {
    index_t guard;           // words visited, as a multiple of the image's, before runs are joined instead
    index_t words_a_thread;  // a thread must have so many to be worth its start
    index_t few_words;       // of an image with short lines that is swept in registers
};

inline constexpr tuning::row<bits_policy> bits_policies[] = {
    {1, 0, {0, 1, 0}, "untuned"},        // 0: runs only
    {1, 0, {1 << 20, 1, 0}, "untuned"},  // 1: sweeps only
    {0, 0, {96, 1 << 13, 1 << 13}, "untuned"},
};
static_assert(tuning::well_formed(bits_policies));

[[nodiscard]] inline const bits_policy& chosen_bits() {
    return bits_policies[tuning::choose("reconstruction/reconstruct/cpu_bits", bits_policies, 0, 0)].policy;
}

}  // namespace wale::reconstruction
