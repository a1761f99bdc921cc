// tuning - threads of a block, and rows that a thread asks for at once.
#pragma once

#include <wale/vectors.hpp>

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
[[nodiscard]] constexpr int held_rows(int element_size) {
    return element_size < 16 ? 16 : 8;
}
/// So many rows and fewer whatever the number of systems; more while there are no more systems than this,
/// whose latency counts: beyond, cuda/thomas_one_pass is faster.
inline constexpr int always_held_rows = 8;
inline constexpr int most_held_systems = 4096;
[[nodiscard]] inline bool suits_held(const vector_shape& s) {
    return s.size <= always_held_rows ||
           (s.size <= held_rows(static_cast<int>(bytes_of(s.type))) && s.count <= most_held_systems);
}

}  // namespace wale::tree::thomas
