// tuning - threads of a block, and rows that a thread asks for at once.
#pragma once

#include <wale/layout.hpp>

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

/// Rows of a system that a thread keeps in its registers, at most.
[[nodiscard]] constexpr int held_rows(index_t element_size) {
    return element_size > 8 ? 8 : 16;
}

}  // namespace wale::tree::thomas
