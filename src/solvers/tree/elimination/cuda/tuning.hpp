// tuning - threads of a block, and rows that a thread asks for at once.
#pragma once

#include "tuning/table.hpp"

namespace wale::tree::thomas {

struct thomas_policy {
    int block;  // threads, a system each
    int rows;   // loaded before the first is used
};
inline constexpr tuning::row<thomas_policy> thomas_policies[] = {
    {0, 0, {128, 8}, "untuned"},
};
static_assert(tuning::well_formed(thomas_policies));

inline constexpr int held_threads = 128;  // of a block, a short system each; untuned

/// Rows of a system that a thread keeps in its registers, at most: from 9 rows on cuda/thomas_one_pass is
/// faster.
inline constexpr int held_rows = 8;

}  // namespace wale::tree::thomas
