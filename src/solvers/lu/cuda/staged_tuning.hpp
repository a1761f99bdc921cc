// tuning - which systems are solved in shared memory, a thread a right-hand side, and how many by a block.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu::batched {

inline constexpr int staged_threads = 128;  // of a block; untuned

struct staged_policy {
    int least, most;  // rows
    int most_few;  // rows where a system has fewer than `many` right-hand sides, which keep few threads busy
    int many;      // right-hand sides
    int crowd;     // systems from which on fewer right-hand sides than `many` keep the device busy
    int most_inverse;  // rows of a matrix whose inverse is asked for
    int sides;         // of a system that are solved at once, at most
    int bytes;         // of shared memory a block, at most
};
inline constexpr tuning::row<staged_policy> staged_policies[] = {
    {70, 4, {9, 32, 22, 5, 2048, 16, 32, 48 << 10}, "untuned"},  // 0
    {70, 8, {9, 32, 24, 5, 2048, 16, 32, 48 << 10}, "untuned"},  // 1
    {0, 0, {1 << 20, 0, 0, 1, 0, 0, 1, 0}, "untuned"},           // 2: none
    {0, 0, {1, 32, 32, 1, 0, 32, 32, 100 << 10}, "untuned"},     // 3: wherever possible
    {0, 0, {1, 32, 32, 1, 0, 32, 8, 48 << 10}, "untuned"},       // 4
};
static_assert(tuning::well_formed(staged_policies));

/// Of complex numbers, which no other kernel of these rows takes: `least` is not asked.
inline constexpr staged_policy complex_staged_policy{1, 32, 32, 5, 0, 32, 32, 48 << 10};  // untuned

}  // namespace wale::lu::batched
